// The functions that expressions may call: their signatures and implementations.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cel/pattern.hpp"
#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

// The remaining cost of an evaluation, in values and characters that it reads, and the patterns that it has compiled.
class Budget {
 public:
  explicit Budget(std::size_t steps) : left_(steps) {}
  // False when the budget is exhausted.
  bool spend(std::size_t steps);
  [[nodiscard]] std::size_t& left() { return left_; }
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  void exhaust() { is_exhausted_ = true; }
  // Compiles a pattern once, however often the expression matches it. Null when the budget is exhausted.
  const Result<Pattern>* pattern(const std::string& text);

 private:
  std::size_t left_;
  bool is_exhausted_ = false;
  std::map<std::string, Result<Pattern>> patterns_;
};

// Each type is a letter: s string, i int, u uint, d double, b bool, y bytes, l list, m map, t timestamp, D duration,
// o optional, q quantity, T type, * any. For results also = the type of the first argument, E that of its elements.
struct Signature {
  const char* name;
  bool has_target;
  const char* arguments;  // the target first
  const char* result;
  Value (*call)(const Values& arguments, Budget& budget);
};

[[nodiscard]] const std::vector<const Signature*>& signatures_of(std::string_view name);
// True for a function that CEL or Kubernetes has and this evaluator lacks; the error for its use names that reason.
[[nodiscard]] bool is_missing_function(std::string_view name);

[[nodiscard]] bool fits_letter(const Value& value, char letter);

[[nodiscard]] Value no_such_overload();

[[nodiscard]] std::vector<Signature> text_signatures();
[[nodiscard]] std::vector<Signature> list_signatures();
[[nodiscard]] std::vector<Signature> conversion_signatures();
[[nodiscard]] std::vector<Signature> time_signatures();
[[nodiscard]] std::vector<Signature> resource_signatures();

}  // namespace keelson::cel
