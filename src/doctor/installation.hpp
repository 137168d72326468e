// What the areas share: the operator, and what the area Deployment has read about its installation.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/doctor/doctor.hpp"
#include "src/doctor/deployed.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// examine_deployment() fills it, and the areas after it only read it.
struct Installation {
  explicit Installation(Examined of)
      : examined(std::move(of)), ns(examined.ns.empty() ? examined.default_ns : examined.ns) {}

  Examined examined;                       // with the controllers and webhooks that the flags select
  std::string ns;                          // of the Deployment, or where it should be
  std::vector<json::Document> pages = {};  // of the list of Deployments
  std::optional<Error> unread = {};        // why the Deployments are unknown
  json::View deployment = {};              // in `pages`; absent if there is none
  Deployed deployed = {};
  Reading pods = malformed_error("not read");  // the list of the Deployment's pods
  DeployedFlags flags = {};
  bool has_flags = true;  // false: the manager does not accept its arguments, and `flags` has the defaults
  // Of the leases of the operator's other Deployments, which reconcile other objects.
  std::vector<std::string> separate_namespaces = {};

  [[nodiscard]] bool has_deployment() const { return !deployment.is_absent(); }
  [[nodiscard]] std::string lease_namespace() const {
    return flags.lease_namespace.empty() ? ns : flags.lease_namespace;
  }
};

}  // namespace keelson::doctor
