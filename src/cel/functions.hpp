// The functions that expressions may call: what they take, and what they do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/cel/value.hpp"

namespace keelson::cel {

// What an evaluation may still cost, in values and characters looked at.
class Budget {
 public:
  explicit Budget(std::size_t steps) : left_(steps) {}
  // False when it is used up.
  bool spend(std::size_t steps);
  [[nodiscard]] std::size_t& left() { return left_; }
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  void exhaust() { is_exhausted_ = true; }

 private:
  std::size_t left_;
  bool is_exhausted_ = false;
};

// Types in one letter each: s string, i int, u uint, d double, b bool, y bytes, l list, m map, t timestamp, D duration,
// o optional, q quantity, T type, * any. Of results also = that of the first argument, E that of its elements.
struct Signature {
  const char* name;
  bool has_target;
  const char* arguments;  // the target first
  const char* result;
  Value (*call)(const Values& arguments, Budget& budget);
};

[[nodiscard]] const std::vector<const Signature*>& signatures_of(std::string_view name);
// One of CEL or Kubernetes that is not implemented.
[[nodiscard]] bool is_missing_function(std::string_view name);

[[nodiscard]] bool fits_letter(const Value& value, char letter);

[[nodiscard]] Value no_such_overload();

[[nodiscard]] std::vector<Signature> text_signatures();
[[nodiscard]] std::vector<Signature> list_signatures();
[[nodiscard]] std::vector<Signature> conversion_signatures();
[[nodiscard]] std::vector<Signature> time_signatures();
[[nodiscard]] std::vector<Signature> resource_signatures();

}  // namespace keelson::cel
