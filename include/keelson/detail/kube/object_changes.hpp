// The fields in which two states of an object differ, for people: `plan` and dry runs print them.
//
// Fields that the API server sets are not compared: apiVersion, kind, and in the metadata managedFields,
// resourceVersion, generation, uid and creationTimestamp. Values of Secrets are masked as in `kubectl diff`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::kube {

struct FieldChange {
  std::string path;                   // a JSON pointer: "/spec/template/spec/containers/0/image"
  std::string place;                  // for people: "spec.template.spec.containers[web].image"
  std::optional<std::string> before;  // JSON; nullopt: the field is new
  std::optional<std::string> after;   // JSON; nullopt: the field is removed
  // A hash of the real values if both texts are masked; otherwise 0. It only distinguishes changes in memory: do not
  // log or store it, because short values can be guessed from it.
  std::uint64_t masked_hash = 0;

  // "~ spec.replicas: 1 -> 2", "+ metadata.labels.app: "web"" for a new field, "- …" for a removed one.
  [[nodiscard]] std::string text() const;
};

// Both objects must be whole (Object::projection is null). Items of lists are compared by their place.
[[nodiscard]] std::vector<FieldChange> object_changes(const Resource& resource, const Object& before,
                                                      const Object& after);

// The paths of the first `limit` fields that differ, without values: "spec.replicas". For states that are cached alike,
// so both may be reduced to the same projection. A condition is one field: "status.conditions[Ready]". It is cheaper
// than object_changes(), because it is called for every write of a controller.
[[nodiscard]] std::vector<std::string> changed_fields(const Object& before, const Object& after, std::size_t limit);

// The JSON of an object without the metadata that the API server sets. Values of a Secret are masked.
[[nodiscard]] std::string shown_object(const Resource& resource, const Object& object);

}  // namespace keelson::kube
