// An expression, compiled once and evaluated often.
//
//   auto rule = cel::Program::compile("self.replicas <= 5", {{"self", type}});
//   std::size_t steps = 1'000'000;
//   auto value = rule->evaluate({{"self", object}}, steps);
//
// Errors of compile() are cel-go's, with the place: "ERROR: <input>:1:5: undefined field 'foo'\n | self.foo\n | ....^".
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/cel/type.hpp"
#include "keelson/cel/value.hpp"

namespace keelson::cel {

struct Variable {
  std::string name;
  TypePointer type;
};

struct Binding {
  std::string_view name;
  const Value& value;
};

class Program {
 public:
  [[nodiscard]] static Result<Program> compile(std::string_view text, const std::vector<Variable>& variables);

  // Takes what it costs from `steps`: some 50 ns each. When they do not suffice, an error that starts with kOutOfSteps.
  [[nodiscard]] Value evaluate(const std::vector<Binding>& bindings, std::size_t& steps) const;

  [[nodiscard]] bool uses(std::string_view variable) const;
  [[nodiscard]] const TypePointer& result() const { return result_; }

  static constexpr std::string_view kOutOfSteps = "operation cancelled: actual cost limit exceeded";

  struct Code;

 private:
  Program(std::shared_ptr<const Code> code, TypePointer result) : code_(std::move(code)), result_(std::move(result)) {}
  std::shared_ptr<const Code> code_;
  TypePointer result_;
};

}  // namespace keelson::cel
