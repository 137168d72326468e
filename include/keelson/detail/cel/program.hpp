// An expression of CEL, the Common Expression Language, which is compiled once and evaluated often.
//
// Room cel implements CEL with the functions of Kubernetes, for `x-kubernetes-validations` in the sandbox: value.hpp
// has the values, type.hpp their static types, and pattern.hpp regular expressions. Results and error texts are those
// of cel-go.
//
// Example (test/examples/cel.cpp#program):
//   Result<bool> is_small(std::int64_t replicas) {
//     const std::vector<cel::Variable> variables{{"replicas", cel::type_of(cel::Value::Kind::kInt)}};
//     KEELSON_LET(auto rule, cel::Program::compile("replicas <= 5", variables));  // once
//     const auto value = cel::Value::of_int(replicas);
//     std::size_t steps = 1'000'000;
//     const auto result = rule.evaluate({{"replicas", value}}, steps);  // often
//     if (result.is_error()) return invalid_error(result.text());
//     return result.is_true();
//   }
//
// Ownership: a Program is immutable and independent of the text and the variables that it was compiled from; a copy is
// cheap. Values are shared and never change.
//
// Limits instead of cancellation: nothing waits, so there is nothing to cancel. Expressions come from users: the parser
// limits their size and depth, and `steps` limits the time of each evaluation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/cel/type.hpp"
#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

// A variable that an expression may use, for compile().
struct Variable {
  std::string name;
  TypePointer type;  // dyn_type(): checked only during evaluation
};

// The value of a variable, for evaluate(). Both must outlive the call.
struct Binding {
  std::string_view name;
  const Value& value;
};

class Program {
 public:
  // Errors are kInvalid with cel-go's text and place, at most 20 of them: "ERROR: <input>:1:5: undefined field 'foo'",
  // and below it the line of the expression and a line with a caret at the column. A text of more than 64 KiB is
  // rejected. kMalformed: a literal is wrong that the API server converts before the evaluation: int('x').
  [[nodiscard]] static Result<Program> compile(std::string_view text, const std::vector<Variable>& variables);
  // Subtracts the cost of patterns that are literals from `pattern_budget`, in instructions (Pattern::size). Beyond it
  // they are compiled only during evaluation.
  [[nodiscard]] static Result<Program> compile(std::string_view text, const std::vector<Variable>& variables,
                                               std::size_t& pattern_budget);

  // Computes the value. An error of the evaluation is a value, too (Value::is_error): "no such key: foo", "division by
  // zero". A variable without a binding is such an error. Subtracts the API server's cost from `steps`, about 50 ns
  // each, or more if the evaluation takes longer; if they do not suffice, the value is an error that starts with
  // kOutOfSteps.
  [[nodiscard]] Value evaluate(const std::vector<Binding>& bindings, std::size_t& steps) const;

  // The most steps that an evaluation can cost, as the API server estimates it from the sizes in the types of the
  // variables (Type::most_elements); the largest number if there is no limit.
  [[nodiscard]] std::uint64_t most_cost() const { return most_cost_; }

  // Whether the expression reads this variable. A macro's own variable of the same name does not count.
  [[nodiscard]] bool uses(std::string_view variable) const;
  // The static type of the value; dyn if it is not known.
  [[nodiscard]] const TypePointer& result() const { return result_; }

  // cel-go's text for an expression that exceeds its cost limit.
  static constexpr std::string_view kOutOfSteps = "operation cancelled: actual cost limit exceeded";

  struct Code;

 private:
  Program(std::shared_ptr<const Code> code, TypePointer result, std::uint64_t most_cost)
      : code_(std::move(code)), result_(std::move(result)), most_cost_(most_cost) {}
  std::shared_ptr<const Code> code_;
  TypePointer result_;
  std::uint64_t most_cost_;
};

}  // namespace keelson::cel
