// A text that lives as long as the program: descriptions of kinds refer to it and never copy it.
#pragma once

#include <string_view>

namespace keelson::kube {

// Made from string literals (and constants of static storage) only; anything else does not compile.
class Literal {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a literal stands wherever one is asked for
  consteval Literal(const char* text) : text_(text) {}
  consteval Literal(std::string_view text) : text_(text) {}
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

}  // namespace keelson::kube
