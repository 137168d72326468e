// A write of a controller in the plan, and the fields that it changed.
//
// The fields that the API server sets are not included: managedFields, resourceVersion, generation, uid and
// creationTimestamp. Values of Secrets are masked as in `kubectl diff`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/object.hpp"
#include "keelson/sandbox/api_server.hpp"

namespace keelson::plan {

struct FieldChange {
  std::string path;                   // a JSON pointer: "/spec/replicas"
  std::string place;                  // the same path in the notation of field_path.hpp
  std::optional<std::string> before;  // JSON; nullopt: the field is new
  std::optional<std::string> after;   // JSON; nullopt: the field is removed
};

struct PlannedWrite {
  std::string verb;  // "create", "update", "patch", "delete", "deletecollection"
  kube::Resource resource;
  std::string subresource;
  kube::Key key;
  std::string created;  // the new object as JSON; empty: the object existed before
  std::vector<FieldChange> changes;
};

[[nodiscard]] PlannedWrite planned_write(const sandbox::RequestInfo& request, const kube::Resource& resource,
                                         const std::optional<kube::Object>& before,
                                         const std::optional<kube::Object>& after);

}  // namespace keelson::plan
