// Splits an expression into tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

struct Token {
  enum class Kind : std::uint8_t { kEnd, kName, kSymbol, kLiteral };
  Kind kind = Kind::kEnd;
  std::size_t offset = 0;
  std::string text;  // of names and symbols
  Value value;       // of literals
};

// Ends with kEnd.
[[nodiscard]] Result<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace keelson::cel
