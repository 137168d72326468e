// A field of an object as `metadata.managedFields` names it, and the field managers that own it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"
#include "src/controller/list_keys.hpp"

namespace keelson::controller {

// The steps from the root of an object to a field, in the notation of FieldsV1 (meta/v1): `f:spec`,
// `k:{"name":"web"}` for an item of a list map, and `i:0` for an item of another list.
class ManagedField {
 public:
  [[nodiscard]] bool empty() const { return steps_.empty(); }
  // The field within `name`, or within an item of a list. The steps are added from the leaf to the root.
  void prepend_member(std::string_view name);
  void prepend_item(const ListKey& key, json::View item);
  void prepend_item(std::size_t index);

  // For people: "spec.template.spec.containers[name=web].image".
  [[nodiscard]] std::string text() const;

  bool operator==(const ManagedField&) const = default;

 private:
  friend std::vector<std::string> managers_of(json::View managed_fields, const ManagedField& field);
  std::vector<std::string> steps_;  // from the leaf to the root
};

// The distinct names of the field managers that own the field, or an object or list around it as a whole, in the order
// of `managed_fields` (metadata.managedFields of a live object; the cache does not have them).
[[nodiscard]] std::vector<std::string> managers_of(json::View managed_fields, const ManagedField& field);

}  // namespace keelson::controller
