#include "src/cel/pattern_classes.hpp"

#include <algorithm>
#include <map>

namespace keelson::cel {

namespace {

constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

const std::map<std::string_view, CodeRanges>& posix_classes() {
  static const std::map<std::string_view, CodeRanges> classes{
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}},
      {"blank", {{'\t', '\t'}, {' ', ' '}}},
      {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  };
  return classes;
}

const std::map<std::string_view, CodeRanges>& ascii_of_unicode() {
  static const CodeRanges letters{{'A', 'Z'}, {'a', 'z'}};
  static const CodeRanges digits{{'0', '9'}};
  static const std::map<std::string_view, CodeRanges> classes{
      {"L", letters},
      {"Latin", letters},
      {"Lu", {{'A', 'Z'}}},
      {"Ll", {{'a', 'z'}}},
      {"N", digits},
      {"Nd", digits},
      {"Z", {{' ', ' '}}},
      {"Zs", {{' ', ' '}}},
      {"C", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"Cc", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"P",
       {{'!', '#'}, {'%', '*'}, {',', '/'}, {':', ';'}, {'?', '@'}, {'[', ']'}, {'_', '_'}, {'{', '{'}, {'}', '}'}}},
      {"S", {{'$', '$'}, {'+', '+'}, {'<', '>'}, {'^', '^'}, {'`', '`'}, {'|', '|'}, {'~', '~'}}},
  };
  return classes;
}

}  // namespace

CodeRanges merged_ranges(CodeRanges ranges) {
  std::sort(ranges.begin(), ranges.end());
  CodeRanges merged;
  for (const auto& range : ranges) {
    if (!merged.empty() && range.first <= merged.back().second + 1) {
      merged.back().second = std::max(merged.back().second, range.second);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

CodeRanges inverted_ranges(const CodeRanges& ranges) {
  CodeRanges inverted;
  std::uint32_t next = 0;
  for (const auto& [first, last] : merged_ranges(ranges)) {
    if (first > next) inverted.emplace_back(next, first - 1);
    next = last + 1;
  }
  if (next <= kLastCodePoint) inverted.emplace_back(next, kLastCodePoint);
  return inverted;
}

std::optional<CodeRanges> perl_class(char letter) {
  const auto& classes = posix_classes();
  switch (letter) {
    case 'd':
      return classes.at("digit");
    case 'D':
      return inverted_ranges(classes.at("digit"));
    case 's':  // unlike [:space:] without \v
      return CodeRanges{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
    case 'S':
      return inverted_ranges({{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}});
    case 'w':
      return classes.at("word");
    case 'W':
      return inverted_ranges(classes.at("word"));
    default:
      return std::nullopt;
  }
}

std::optional<CodeRanges> posix_class(std::string_view name) {
  bool is_inverted = name.starts_with('^');
  auto found = posix_classes().find(is_inverted ? name.substr(1) : name);
  if (found == posix_classes().end()) return std::nullopt;
  return is_inverted ? inverted_ranges(found->second) : found->second;
}

CodeRanges unicode_class(std::string_view name) {
  CodeRanges ranges{{0x80, kLastCodePoint}};
  auto found = ascii_of_unicode().find(name);
  if (found != ascii_of_unicode().end()) ranges.insert(ranges.end(), found->second.begin(), found->second.end());
  return ranges;
}

CodeRanges folded_ranges(CodeRanges ranges) {
  constexpr std::uint32_t kDistance = 'a' - 'A';
  auto add = [&ranges](std::uint32_t first, std::uint32_t last, std::uint32_t begin, std::uint32_t end, bool up) {
    first = std::max(first, begin);
    last = std::min(last, end);
    if (first > last) return;
    ranges.emplace_back(up ? first - kDistance : first + kDistance, up ? last - kDistance : last + kDistance);
  };
  const auto count = ranges.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto [first, last] = ranges[i];
    add(first, last, 'a', 'z', true);
    add(first, last, 'A', 'Z', false);
  }
  return merged_ranges(std::move(ranges));
}

}  // namespace keelson::cel
