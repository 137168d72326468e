// A pod of the cluster as a kubelet reads it: the command, the environment and the files of its containers.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::testing {

class Pod {
 public:
  // The pod as `kubectl get pod -o json` prints it. A field that this class does not support fails the test.
  explicit Pod(json::Document object) : object_(std::move(object)) {}

  [[nodiscard]] std::string name() const { return field("metadata.name"); }
  [[nodiscard]] std::string ns() const { return field("metadata.namespace"); }
  // The user name of its service account at the API server.
  [[nodiscard]] std::string user() const { return "system:serviceaccount:" + ns() + ":" + account(); }
  [[nodiscard]] std::chrono::seconds grace_period() const;
  // The value at a path as in `fieldRef`.
  [[nodiscard]] std::string field(const std::string& path) const;

  [[nodiscard]] json::View container(const std::string& name) const;
  // `command` and `args`; without `command`, the entrypoint of the image.
  [[nodiscard]] std::vector<std::string> command(const std::string& container, const std::string& entrypoint) const;
  // The port of this name among those that a container declares.
  [[nodiscard]] int port(const std::string& container, const std::string& name) const;
  // NAME=VALUE: the variables of the container, and those by which every pod finds the API server.
  [[nodiscard]] std::vector<std::string> environment(const std::string& container) const;
  // The content of its volumes, by path in the container: the service account's token (bound to this pod), CA and
  // namespace.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& container) const;

 private:
  [[nodiscard]] std::string account() const { return field("spec.serviceAccountName"); }
  [[nodiscard]] json::View volume(const std::string& name) const;
  void add_source(json::View source, const std::string& folder, std::map<std::string, std::string>& files) const;
  [[nodiscard]] std::string token(json::View projection) const;

  json::Document object_;
};

}  // namespace keelson::testing
