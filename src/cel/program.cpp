#include "keelson/detail/cel/program.hpp"

#include <algorithm>
#include <optional>

#include "keelson/base/try.hpp"
#include "src/cel/checker.hpp"
#include "src/cel/cost.hpp"
#include "src/cel/evaluator.hpp"
#include "src/cel/parser.hpp"

namespace keelson::cel {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;
// The API server's cost of an operation is usually its time in steps; patterns and literals take longer.
constexpr std::size_t kTimePerCost = 4;
constexpr std::size_t kMostSteps = 100'000'000;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// The error of a call of literals that the API server makes together with the program: a pattern is compiled, a number
// is converted.
std::optional<Error> literal_error(const Expression& node, std::size_t& pattern_budget) {
  const bool is_search = node.has_target && node.parts.size() > 1 && is_one_of(node.name, {"find", "findAll"});
  if (is_search && node.parts[1].value.is(Value::Kind::kString) && pattern_budget > 0) {
    std::size_t cost = 0;
    const auto compiled = Pattern::compile(node.parts[1].value.text(), cost);
    pattern_budget -= std::min(pattern_budget, cost);
    if (!compiled) return malformed_error(compiled.error().text);
  }
  const bool is_conversion = node.parts.size() == 1 && !node.has_target &&
                             node.parts[0].kind == Expression::Kind::kLiteral &&
                             is_one_of(node.name, {"int", "uint", "double", "bool", "string", "bytes"});
  if (is_conversion) {
    Budget budget(node.parts[0].value.text().size() + 1, 1);
    const auto value = node.overloads[0]->call({node.parts[0].value}, budget);
    if (value.is_error()) return malformed_error(value.text());
  }
  for (const auto& part : node.parts) {
    if (auto error = literal_error(part, pattern_budget)) return error;
  }
  return std::nullopt;
}

bool mentions(const Expression& node, std::string_view name) {
  if (node.kind == Expression::Kind::kName && node.name == name) return true;
  bool hides = node.variable == name || node.second_variable == name;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    if ((i == 0 || !hides) && mentions(node.parts[i], name)) return true;
  }
  return false;
}

}  // namespace

struct Program::Code {
  Expression expression;
};

Result<Program> Program::compile(std::string_view text, const std::vector<Variable>& variables) {
  auto pattern_budget = Pattern::kMostSize;
  return compile(text, variables, pattern_budget);
}

Result<Program> Program::compile(std::string_view text, const std::vector<Variable>& variables,
                                 std::size_t& pattern_budget) {
  if (text.size() > kMostBytes) return invalid_error("the expression has more than 65536 bytes");
  KEELSON_LET(auto parsed, parse_expression(text));
  auto code = std::make_shared<Code>();
  code->expression = std::move(parsed);
  KEELSON_LET(auto type, check_expression(code->expression, variables, text, pattern_budget));
  if (auto error = literal_error(code->expression, pattern_budget)) return *error;
  const auto cost = estimated_cost(code->expression, variables);
  return Program(std::move(code), std::move(type), cost);
}

Value Program::evaluate(const std::vector<Binding>& bindings, std::size_t& steps) const {
  const auto most_time = steps > kMostSteps / kTimePerCost ? kMostSteps : steps * kTimePerCost;
  Budget budget(most_time, steps);
  auto value = cel::evaluate(code_->expression, bindings, budget);
  const auto used = (most_time - budget.left()) / kTimePerCost;
  steps -= std::min(steps, std::max(steps - budget.cost_left(), used));
  return value;
}

bool Program::uses(std::string_view variable) const { return mentions(code_->expression, variable); }

}  // namespace keelson::cel
