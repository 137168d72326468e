// Mistakes of an operator that a simulation has found: each is a text that says what failed, on what, and the fix.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace keelson::sandbox {

struct Problem {
  std::string text;
  std::size_t times = 1;
};

class Problems {
 public:
  // The same text again is the same problem. After kMost different ones, further ones are dropped.
  void add(std::string text);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Problem>& all() const { return all_; }

  static constexpr std::size_t kMost = 100;

 private:
  std::vector<Problem> all_;
};

}  // namespace keelson::sandbox
