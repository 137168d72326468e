// Properties of API fields beyond their value: whether a map is atomic, and whether an empty field is omitted.
#pragma once

#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::controller {

// x-kubernetes-map-type: atomic. Such a map has a single owner: an entry of another owner is drift.
[[nodiscard]] bool is_atomic_map(std::string_view parent, std::string_view name, json::View wanted);

// True if an object without the field is equivalent to one with the value `wanted`. Go omits empty lists, objects and
// texts; it omits false and 0 only if the field is not a pointer, because an absent pointer means the server's default.
[[nodiscard]] bool may_be_absent(std::string_view parent, std::string_view name, json::View wanted);

// True if `wanted` is empty and `actual` is the API server's default for it.
[[nodiscard]] bool is_default_of_empty(std::string_view parent, std::string_view name, json::View actual,
                                       json::View wanted);

}  // namespace keelson::controller
