// A write that a controller made in the plan, and what it changed.
//
// Without what no author of a write says: managedFields, resourceVersion, generation, uid and creationTimestamp. Values
// of Secrets are masked as `kubectl diff` masks them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/object.hpp"
#include "keelson/sandbox/api_server.hpp"

namespace keelson::plan {

struct FieldChange {
  std::string path;                   // a JSON pointer: "/spec/replicas"
  std::string place;                  // the same for people
  std::optional<std::string> before;  // JSON; nothing: there was no such field
  std::optional<std::string> after;   // JSON; nothing: there is none any more
};

struct PlannedWrite {
  std::string verb;  // "create", "update", "patch", "delete", "deletecollection"
  kube::Resource resource;
  std::string subresource;
  kube::Key key;
  std::string created;  // the new object as JSON; empty: there was one before
  std::vector<FieldChange> changes;
};

[[nodiscard]] PlannedWrite planned_write(const sandbox::RequestInfo& request, const kube::Resource& resource,
                                         const std::optional<kube::Object>& before,
                                         const std::optional<kube::Object>& after);

}  // namespace keelson::plan
