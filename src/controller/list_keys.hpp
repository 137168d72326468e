// The lists of the API that are maps, and the members that are their keys: x-kubernetes-list-map-keys.
#pragma once

#include <array>
#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::controller {

struct ListKey {
  std::string_view list;
  std::array<std::string_view, 2> members;  // the second may be empty

  [[nodiscard]] bool same(json::View left, json::View right) const;
};

// Null: the list is not a map, or `wanted` has items without the key; such a list is compared as a whole.
[[nodiscard]] const ListKey* list_key(std::string_view list, json::View wanted);

}  // namespace keelson::controller
