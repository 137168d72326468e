// The syntax tree of a regular expression, and its parser.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::cel {

using CodeRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // of code points, both ends included

enum class Assertion : std::uint8_t { kTextBegin, kTextEnd, kLineBegin, kLineEnd, kWordBoundary, kNoWordBoundary };

struct PatternNode {
  enum class Kind : std::uint8_t { kEmpty, kClass, kAssertion, kSequence, kChoice, kRepeat };
  Kind kind = Kind::kEmpty;
  CodeRanges ranges;
  Assertion assertion = Assertion::kTextBegin;
  int least = 0;
  int most = -1;  // negative: any number
  std::vector<PatternNode> parts;
};

[[nodiscard]] Result<PatternNode> parse_pattern(std::string_view expression);

// Sorted, without overlaps.
[[nodiscard]] CodeRanges merged_ranges(CodeRanges ranges);
[[nodiscard]] CodeRanges inverted_ranges(const CodeRanges& ranges);

}  // namespace keelson::cel
