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

// The member of a map, the item of a list, or an error.
[[nodiscard]] Value value_at_index(const Value& container, const Value& index, Budget& budget);

}  // namespace keelson::cel
