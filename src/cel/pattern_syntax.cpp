#include "src/cel/pattern_syntax.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "keelson/base/hex.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/utf8.hpp"
#include "src/cel/pattern_classes.hpp"

namespace keelson::cel {

namespace {

constexpr std::size_t kMostNesting = 250;
constexpr std::size_t kMostPatternBytes = std::size_t{64} << 10;
constexpr int kMostRepeats = 1000;       // as in Go
constexpr std::size_t kCountBytes = 21;  // of the longest count: {123456789,123456789}

using PatternKind = PatternNode::Kind;

struct Flags {
  bool ignores_case = false;
  bool has_lines = false;       // m: ^ and $ at lines
  bool dot_is_newline = false;  // s
};

class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : text_(text) {}

  Result<PatternNode> parse() {
    auto node = choice(0);
    if (!failed_ && at_ < text_.size()) fail("unexpected )", text_);
    if (failed_) return invalid_error("error parsing regexp: " + *failed_);
    return node;
  }

 private:
  PatternNode choice(std::size_t depth);
  PatternNode sequence(std::size_t depth);
  std::optional<PatternNode> atom(std::size_t depth);
  std::optional<PatternNode> group(std::size_t depth);
  bool read_flags();
  PatternNode repeated(PatternNode node);
  std::optional<std::pair<int, int>> counts();
  std::optional<PatternNode> escape();
  PatternNode bracket();
  void bracket_item(CodeRanges& ranges);
  std::optional<CodeRanges> class_escape();
  std::uint32_t escaped_rune(std::size_t begin);
  std::uint32_t hex_rune(std::size_t begin);
  std::uint32_t rune();

  [[nodiscard]] bool at_end() const { return failed_ || at_ >= text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool looks_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool take(std::string_view what) {
    if (!looks_at(what)) return false;
    at_ += what.size();
    return true;
  }
  void fail(const std::string& why, std::string_view where) {
    if (!failed_) failed_ = why + ": `" + std::string(where) + "`";
    at_ = text_.size();
  }
  [[nodiscard]] std::string_view since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }
  [[nodiscard]] PatternNode of_class(CodeRanges ranges) const {
    PatternNode node{.kind = PatternKind::kClass, .ranges = merged_ranges(std::move(ranges)), .parts = {}};
    if (flags_.ignores_case) node.ranges = folded_ranges(std::move(node.ranges));
    return node;
  }
  static PatternNode of_assertion(Assertion assertion) {
    return {.kind = PatternKind::kAssertion, .ranges = {}, .assertion = assertion, .parts = {}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Flags flags_;
  bool has_no_class_end_ = false;  // no ":]" follows
  std::optional<std::string> failed_;
};

PatternNode PatternParser::choice(std::size_t depth) {
  PatternNode node{.kind = PatternKind::kChoice, .ranges = {}, .parts = {}};
  if (depth > kMostNesting) {
    fail("expression nests too deeply", text_);
    return node;
  }
  do {
    node.parts.push_back(sequence(depth));
  } while (take("|"));
  return node.parts.size() == 1 ? std::move(node.parts[0]) : std::move(node);
}

PatternNode PatternParser::sequence(std::size_t depth) {
  PatternNode node{.kind = PatternKind::kSequence, .ranges = {}, .parts = {}};
  while (!at_end() && peek() != '|' && peek() != ')') {
    if (take("\\Q")) {
      while (!at_end() && !take("\\E")) {
        auto point = rune();
        node.parts.push_back(of_class({{point, point}}));
      }
      continue;
    }
    auto next = atom(depth);
    if (!next) continue;
    node.parts.push_back(repeated(std::move(*next)));
  }
  return node;
}

std::optional<PatternNode> PatternParser::atom(std::size_t depth) {
  auto begin = at_;
  switch (peek()) {
    case '(':
      return group(depth);
    case '[':
      return bracket();
    case '\\':
      return escape();
    case '.':
      ++at_;
      return of_class(flags_.dot_is_newline ? inverted_ranges({}) : inverted_ranges({{'\n', '\n'}}));
    case '^':
      ++at_;
      return of_assertion(flags_.has_lines ? Assertion::kLineBegin : Assertion::kTextBegin);
    case '$':
      ++at_;
      return of_assertion(flags_.has_lines ? Assertion::kLineEnd : Assertion::kTextEnd);
    case '*':
    case '+':
    case '?':
      ++at_;
      fail("missing argument to repetition operator", since(begin));
      return std::nullopt;
    default:
      auto point = rune();
      return of_class({{point, point}});
  }
}

std::optional<PatternNode> PatternParser::group(std::size_t depth) {
  auto begin = at_;
  auto outer = flags_;
  ++at_;
  if (take("?P<") || take("?<")) {
    while (!at_end() && peek() != '>') ++at_;
    if (!take(">")) fail("invalid named capture", text_.substr(begin));
  } else if (take("?")) {
    if (!read_flags()) {
      fail("invalid or unsupported Perl syntax", text_.substr(begin, std::min<std::size_t>(3, text_.size() - begin)));
      return std::nullopt;
    }
    if (take(")")) return std::nullopt;  // the flags apply until the surrounding group ends
    ++at_;                               // ':'
  }
  auto node = choice(depth + 1);
  if (!failed_ && !take(")")) fail("missing closing )", text_);
  flags_ = outer;
  return node;
}

bool PatternParser::read_flags() {
  bool is_set = true;
  for (; !at_end(); ++at_) {
    switch (peek()) {
      case 'i':
        flags_.ignores_case = is_set;
        break;
      case 'm':
        flags_.has_lines = is_set;
        break;
      case 's':
        flags_.dot_is_newline = is_set;
        break;
      case 'U':  // greediness affects where a match ends, not whether there is one
        break;
      case '-':
        is_set = false;
        break;
      default:
        return peek() == ':' || peek() == ')';
    }
  }
  return false;
}

std::optional<std::pair<int, int>> PatternParser::counts() {
  auto count = text_.substr(at_, kCountBytes);
  auto length = count.find('}');
  if (length == std::string_view::npos) return std::nullopt;
  auto inside = count.substr(1, length - 1);
  auto comma = inside.find(',');
  auto number = [](std::string_view digits) -> std::optional<int> {
    if (digits.empty() || digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), base::is_digit)) {
      return std::nullopt;
    }
    return std::stoi(std::string(digits));
  };
  auto least = number(inside.substr(0, comma));
  if (!least) return std::nullopt;
  int most = *least;
  if (comma != std::string_view::npos) {
    auto rest = inside.substr(comma + 1);
    auto upper = number(rest);
    if (!rest.empty() && !upper) return std::nullopt;
    most = rest.empty() ? -1 : *upper;
  }
  at_ += length + 1;
  return std::pair(*least, most);
}

PatternNode PatternParser::repeated(PatternNode node) {
  bool was_repeated = false;
  auto first = at_;
  while (!at_end()) {
    auto operator_begin = at_;
    std::pair<int, int> range;
    if (take("*")) {
      range = {0, -1};
    } else if (take("+")) {
      range = {1, -1};
    } else if (take("?")) {
      range = {0, 1};
    } else if (peek() == '{') {
      auto found = counts();
      if (!found) break;  // the brace is a plain character
      range = *found;
      bool is_wrong = range.first > kMostRepeats || range.second > kMostRepeats ||
                      (range.second >= 0 && range.first > range.second);
      if (is_wrong) fail("invalid repeat count", text_.substr(operator_begin, at_ - operator_begin));
    } else {
      break;
    }
    take("?");
    if (was_repeated) {
      fail("invalid nested repetition operator", text_.substr(first, at_ - first));
      break;
    }
    was_repeated = true;
    PatternNode outer{
        .kind = PatternKind::kRepeat, .ranges = {}, .least = range.first, .most = range.second, .parts = {}};
    outer.parts.push_back(std::move(node));
    node = std::move(outer);
  }
  return node;
}

std::uint32_t PatternParser::rune() {
  auto next = base::first_rune(text_.substr(at_));
  if (next.bytes == 0) {
    fail("invalid UTF-8", text_.substr(at_));
    return 0;
  }
  at_ += next.bytes;
  return next.code_point;
}

std::optional<CodeRanges> PatternParser::class_escape() {
  char letter = peek(1);
  if (auto found = perl_class(letter)) {
    at_ += 2;
    return found;
  }
  if (letter != 'p' && letter != 'P') return std::nullopt;
  auto begin = at_;
  at_ += 2;
  std::string_view name;
  if (peek() == '{') {
    auto end = text_.find('}', at_);
    if (end == std::string_view::npos) {
      fail("invalid character class range", text_.substr(begin));
      return CodeRanges();
    }
    name = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
  } else if (!at_end()) {
    name = text_.substr(at_, 1);
    ++at_;
  }
  bool is_inverted = letter == 'P';
  if (name.starts_with('^')) {
    is_inverted = !is_inverted;
    name.remove_prefix(1);
  }
  return is_inverted ? inverted_ranges(unicode_class(name)) : unicode_class(name);
}

std::optional<PatternNode> PatternParser::escape() {
  auto begin = at_;
  if (text_.size() == at_ + 1) {
    fail("trailing backslash at end of expression", "");
    return std::nullopt;
  }
  if (auto ranges = class_escape()) return of_class(std::move(*ranges));
  switch (peek(1)) {
    case 'A':
      at_ += 2;
      return of_assertion(Assertion::kTextBegin);
    case 'z':
      at_ += 2;
      return of_assertion(Assertion::kTextEnd);
    case 'b':
      at_ += 2;
      return of_assertion(Assertion::kWordBoundary);
    case 'B':
      at_ += 2;
      return of_assertion(Assertion::kNoWordBoundary);
    default:
      ++at_;
      auto point = escaped_rune(begin);
      return of_class({{point, point}});
  }
}

// Parses the rest of an escape, after the backslash.
std::uint32_t PatternParser::escaped_rune(std::size_t begin) {
  constexpr std::string_view kNames = "afnrtv";
  constexpr std::string_view kValues = "\a\f\n\r\t\v";
  char letter = peek();
  if (auto found = kNames.find(letter); letter != '\0' && found != std::string_view::npos) {
    ++at_;
    return static_cast<std::uint32_t>(kValues[found]);
  }
  if (letter == 'x') return hex_rune(begin);
  bool is_octal = letter == '0' || (letter >= '1' && letter <= '7' && peek(1) >= '0' && peek(1) <= '7');
  if (is_octal) {
    std::uint32_t value = 0;
    for (int i = 0; i < 3 && peek() >= '0' && peek() <= '7'; ++i, ++at_) {
      value = value * 8 + static_cast<std::uint32_t>(peek() - '0');
    }
    return value;
  }
  bool is_word = base::is_digit(letter) || (base::to_lower(letter) >= 'a' && base::to_lower(letter) <= 'z');
  auto point = rune();
  if (is_word || point >= 0x80) fail("invalid escape sequence", since(begin));
  return point;
}

std::uint32_t PatternParser::hex_rune(std::size_t begin) {
  ++at_;  // 'x'
  bool has_braces = take("{");
  std::uint32_t value = 0;
  int digits = 0;
  for (; !at_end() && (has_braces ? digits < 8 : digits < 2); ++at_, ++digits) {
    const int digit = base::hex_value(peek());
    if (digit < 0) break;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  bool is_wrong = digits == 0 || value > 0x10FFFF || (has_braces ? !take("}") : digits != 2);
  if (is_wrong) fail("invalid escape sequence", text_.substr(begin, at_ - begin));
  return value;
}

void PatternParser::bracket_item(CodeRanges& ranges) {
  auto add = [&ranges](const CodeRanges& more) { ranges.insert(ranges.end(), more.begin(), more.end()); };
  if (looks_at("[:") && !has_no_class_end_) {
    auto end = text_.find(":]", at_);
    has_no_class_end_ = end == std::string_view::npos;
    if (!has_no_class_end_) {
      auto found = posix_class(text_.substr(at_ + 2, end - at_ - 2));
      if (!found) return fail("invalid character class range", text_.substr(at_, end + 2 - at_));
      at_ = end + 2;
      return add(*found);
    }
  }
  if (peek() == '\\') {
    if (auto found = class_escape()) return add(*found);
  }
  auto one = [this]() {
    auto item_begin = at_;
    if (!take("\\")) return rune();
    if (at_end()) fail("trailing backslash at end of expression", "");
    return failed_ ? 0 : escaped_rune(item_begin);
  };
  auto item_begin = at_;
  auto first = one();
  auto last = first;
  if (peek() == '-' && peek(1) != ']' && at_ + 1 < text_.size()) {
    ++at_;
    last = one();
    if (last < first) return fail("invalid character class range", since(item_begin));
  }
  ranges.emplace_back(first, last);
}

PatternNode PatternParser::bracket() {
  auto begin = at_;
  ++at_;
  bool is_inverted = take("^");
  CodeRanges ranges;
  bool is_first = true;
  while (!at_end() && (peek() != ']' || is_first)) {
    is_first = false;
    bracket_item(ranges);
  }
  if (!failed_ && !take("]")) fail("missing closing ]", text_.substr(begin));
  if (flags_.ignores_case) ranges = folded_ranges(std::move(ranges));
  if (is_inverted) ranges = inverted_ranges(ranges);
  return {.kind = PatternKind::kClass, .ranges = merged_ranges(std::move(ranges)), .parts = {}};
}

}  // namespace

Result<PatternNode> parse_pattern(std::string_view expression) {
  if (expression.size() > kMostPatternBytes) {
    return invalid_error("error parsing regexp: the expression has more than 65536 bytes");
  }
  return PatternParser(expression).parse();
}

}  // namespace keelson::cel
