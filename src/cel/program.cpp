#include "keelson/detail/cel/program.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "src/cel/checker.hpp"
#include "src/cel/evaluator.hpp"
#include "src/cel/parser.hpp"

namespace keelson::cel {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;

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
  if (text.size() > kMostBytes) return invalid_error("the expression has more than 65536 bytes");
  KEELSON_LET(auto parsed, parse_expression(text));
  auto code = std::make_shared<Code>();
  code->expression = std::move(parsed);
  KEELSON_LET(auto type, check_expression(code->expression, variables, text));
  return Program(std::move(code), std::move(type));
}

Value Program::evaluate(const std::vector<Binding>& bindings, std::size_t& steps) const {
  Budget budget(steps);
  auto value = cel::evaluate(code_->expression, bindings, budget);
  steps = budget.left();
  return value;
}

bool Program::uses(std::string_view variable) const { return mentions(code_->expression, variable); }

}  // namespace keelson::cel
