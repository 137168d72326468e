// Places in an object: as a JSON pointer, and as people write them.
#pragma once

#include <string>
#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::plan {

// What is at the pointer; absent if there is no such place.
[[nodiscard]] json::View at_pointer(json::View value, std::string_view pointer);

// "/spec/containers/0/image" as spec.containers[memcached].image: items by their `name` or `type`, if it is the same in
// both versions of the object or only one has the item, otherwise by number; names with dots in quotes.
[[nodiscard]] std::string field_path(json::View before, json::View after, std::string_view pointer);

}  // namespace keelson::plan
