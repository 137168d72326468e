// The cost of expressions, as the API server estimates and counts it (cel-go's checker/cost.go and
// interpreter/runtimecost.go, with the functions of Kubernetes).
#pragma once

#include <cstdint>
#include <vector>

#include "keelson/detail/cel/program.hpp"
#include "src/cel/expression.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

// The most that an evaluation can cost, by the sizes in the types of the variables; the largest number if a size has no
// limit. A path that begins at no variable refers to the type of the first one, as there.
[[nodiscard]] std::uint64_t estimated_cost(const Expression& checked, const std::vector<Variable>& variables);

// The cost of a call with these values. What has to be visited for it is paid from the budget's steps.
[[nodiscard]] std::uint64_t actual_cost(CallCost cost, const Values& arguments, const Value& result, Budget& budget);

// That of a turn of a macro, without its expressions. `is_kept`: the condition is true.
[[nodiscard]] std::uint64_t step_cost(const Expression& macro, bool is_kept);

inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;

// A list or a map of literals, which costs nothing during an evaluation.
[[nodiscard]] bool is_literal(const Expression& node);

}  // namespace keelson::cel
