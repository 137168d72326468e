// A pod of the cluster as a kubelet reads it: what a container of it runs, with what in its environment and its files.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::test {

class Pod {
 public:
  // As `kubectl get pod -o json` prints it. Whatever of it this cannot do for a container fails the test.
  explicit Pod(json::Document object) : object_(std::move(object)) {}

  [[nodiscard]] std::string name() const { return field("metadata.name"); }
  [[nodiscard]] std::string ns() const { return field("metadata.namespace"); }
  // As whom its service account is known to the API server.
  [[nodiscard]] std::string user() const { return "system:serviceaccount:" + ns() + ":" + account(); }
  [[nodiscard]] std::chrono::seconds grace_period() const;
  // By a path as in `fieldRef`.
  [[nodiscard]] std::string field(const std::string& path) const;

  [[nodiscard]] json::View container(const std::string& name) const;
  // `command` and `args`; an image's entrypoint stands for a command that is not said.
  [[nodiscard]] std::vector<std::string> command(const std::string& container, const std::string& entrypoint) const;
  // Of the ports that a container declares, the one of that name.
  [[nodiscard]] int port(const std::string& container, const std::string& name) const;
  // NAME=VALUE: those of the container, and those by which every pod finds the API server.
  [[nodiscard]] std::vector<std::string> environment(const std::string& container) const;
  // What its volumes hold, by path in the container: the service account's token (one bound to this pod), CA and
  // namespace.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& container) const;

 private:
  [[nodiscard]] std::string account() const { return field("spec.serviceAccountName"); }
  [[nodiscard]] json::View volume(const std::string& name) const;
  void add_source(json::View source, const std::string& folder, std::map<std::string, std::string>& files) const;
  [[nodiscard]] std::string token(json::View projection) const;

  json::Document object_;
};

}  // namespace keelson::test
