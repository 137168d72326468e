// The operators of expressions, on values.
#pragma once

#include <optional>
#include <string>

#include "src/cel/functions.hpp"

namespace keelson::cel {

// "_+_", "_==_", "@in", "_[_]", "!_", …
[[nodiscard]] Value apply_operator(const std::string& name, const Values& operands, Budget& budget);

// Subtracts the cost of a lookup in a map, which copies and hashes the key. False when the budget is exhausted.
[[nodiscard]] bool pay_for_key(const Value& key, Budget& budget);

[[nodiscard]] bool equal_values(const Value& one, const Value& other, Budget& budget);
// Below zero, zero or above; nullopt for values without an order.
[[nodiscard]] std::optional<int> compare_values(const Value& one, const Value& other, Budget& budget);

// The items of a list, the members of a map.
[[nodiscard]] std::size_t size_of_value(const Value& value);

// list.@sortByAssociatedKeys(keys): the items in the order of their keys.
[[nodiscard]] Value sorted_by_keys(const Values& arguments, Budget& budget);

// A key of a map, in an error.
[[nodiscard]] std::string key_shown(const Value& key);

// container[?index]: the member, if it exists. The container may be optional.
[[nodiscard]] Value optional_at(const Value& container, const Value& index, Budget& budget);

// The member of a map, the item of a list, or an error.
[[nodiscard]] Value value_at_index(const Value& container, const Value& index, Budget& budget);

}  // namespace keelson::cel
