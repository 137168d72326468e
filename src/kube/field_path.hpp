// Paths of fields in an object: as a JSON pointer, and in the notation of kubectl.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/detail/json/json_pointer.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kube {

// The value at the pointer; absent if there is none.
[[nodiscard]] json::View at_pointer(json::View value, const json::Pointer& pointer);

// "/spec/containers/0/image" as spec.containers[memcached].image. An item is named by its `name` or `type` if both
// versions of the object have the same, or only one has the item; otherwise by its number. Names with dots are quoted.
[[nodiscard]] std::string field_path(json::View before, json::View after, const json::Pointer& pointer);

// Appends a member to such a path: ".name", or ["name"] if it is not a plain word.
void append_member(std::string& path, std::string_view name);
// The name of an item of a list: its `name` or `type`.
[[nodiscard]] std::optional<std::string_view> name_of_item(json::View item);

// The metadata that the API server sets: a comparison ignores it.
[[nodiscard]] bool is_set_by_server(std::string_view metadata_member);

}  // namespace keelson::kube
