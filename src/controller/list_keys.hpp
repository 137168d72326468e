// The lists of the API that are maps, and the members that are their keys: x-kubernetes-list-map-keys.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/json/value.hpp"

namespace keelson::controller {

struct ListKey {
  std::string_view list;
  std::array<std::string_view, 2> members;  // the second may be empty

  [[nodiscard]] bool same(json::View left, json::View right) const;
  // Equal for two items exactly if they have the same key.
  [[nodiscard]] std::string key_text(json::View item) const;
};

// The items of a list by their key, for a list that is compared with another one. The search among few items is linear;
// a large list, which a user of a namespace can write, gets a table.
class ItemIndex {
 public:
  // Refers to the Document of `list`. A null `key` compares whole items, as those of a set.
  ItemIndex(json::View list, const ListKey* key);
  // The first item of the list that has the key of `item`, or an absent View.
  [[nodiscard]] json::View find(json::View item) const;

 private:
  [[nodiscard]] std::string key_text(json::View item) const;

  json::View list_;
  const ListKey* key_;
  base::TextMap<std::string, json::View> items_;  // empty for a small list
};

// Null: the list is not a map, or `wanted` has items without the key; such a list is compared as a whole.
[[nodiscard]] const ListKey* list_key(std::string_view list, json::View wanted);

}  // namespace keelson::controller
