// A write of a controller in the plan, and the fields that it changed.
//
// The fields that the API server sets are not included, and values of Secrets are masked (kube/object_changes.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/kube/object_changes.hpp"
#include "keelson/detail/sandbox/api_server.hpp"

namespace keelson::plan {

struct PlannedWrite {
  std::string verb;  // "create", "update", "patch", "delete", "deletecollection"
  kube::Resource resource;
  std::string subresource;
  kube::Key key;
  std::string created;  // the new object as JSON; empty: the object existed before
  std::vector<kube::FieldChange> changes;
};

[[nodiscard]] PlannedWrite planned_write(const sandbox::RequestInfo& request, const kube::Resource& resource,
                                         const std::optional<kube::Object>& before,
                                         const std::optional<kube::Object>& after);

}  // namespace keelson::plan
