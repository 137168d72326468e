// The fields of a described struct that differ between two values of it: what a defaulter changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/describe.hpp"

namespace keelson::kube {

struct FieldChange {
  std::string_view name;
  bool has_members = false;           // it is a list, a map or a struct, of which the description may not know all
  std::optional<std::string> before;  // JSON; nothing when encoding leaves the field out
  std::optional<std::string> after;
};

// Sorted by name. `type` is a struct, `before` and `after` are values of it. Only fields that differ are encoded.
[[nodiscard]] std::vector<FieldChange> changed_fields(const Type& type, const void* before, const void* after);

}  // namespace keelson::kube
