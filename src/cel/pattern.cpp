#include "keelson/detail/cel/pattern.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/utf8.hpp"

namespace keelson::cel {

struct Pattern::Program {
  Program(const std::string& text, const re2::RE2::Options& options) : expression(text, options) {}
  re2::RE2 expression;
};

namespace {

constexpr std::size_t kMostPatternBytes = std::size_t{64} << 10;
constexpr std::ptrdiff_t kMostNesting = 1000;  // as in Go
// RE2's limit of memory: the compiled program in both directions, and its cache of states.
constexpr std::int64_t kMostMemory = 2 << 20;
// The cache stays as long as the pattern, so a small program gets a small one. Beyond it RE2 matches without states.
constexpr std::int64_t kLeastMemory = 64 << 10;
constexpr std::int64_t kMemoryPerInstruction = 400;
// RE2's parser does not know that limit: it copies the table of each \p, and takes time quadratic to counts, as in
// a{0,9}. A table and a count are taken for so many instructions.
constexpr std::size_t kTableSize = 200;
constexpr std::size_t kCountSize = 20;
// RE2 takes about 1 ns for each byte while its cache suffices. Otherwise it visits up to all instructions for each, in
// 1 to 7 ns, so a step takes 350 ns in the worst case.
constexpr std::size_t kInstructionsPerStep = 50;
// What RE2 stores for the shortest pattern.
constexpr std::size_t kLeastSize = 20;

Error pattern_error(std::string_view why, std::string_view where) {
  return invalid_error("error parsing regexp: " + std::string(why) + ": `" + std::string(where) + "`");
}

// Go's text for an error of RE2.
std::string_view go_text(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
      return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "regexp/syntax: internal error";
  }
}

std::size_t size_for_parser(std::string_view expression) {
  static const re2::RE2 table(R"(\\[pP])");
  static const re2::RE2 repetition(R"(\{(?:\d+,)?(\d{1,4}))");
  std::size_t size = 0;
  re2::StringPiece rest(expression);
  while (re2::RE2::FindAndConsume(&rest, table)) size += kTableSize;
  rest = expression;
  std::size_t count = 0;
  while (re2::RE2::FindAndConsume(&rest, repetition, &count)) size += count * kCountSize;
  return size;
}

bool differs_in_re2(std::string_view expression) {
  return expression.find("\\C") != std::string_view::npos || expression.find("?<") != std::string_view::npos ||
         expression.find("?P<") != std::string_view::npos || std::ranges::count(expression, '(') > kMostNesting;
}

// In Go the P in (?P<name>...) is optional, groups may have the same name, and \C is an error. The groups lose their
// names, because a match does not need them.
Result<std::string> in_re2_syntax(std::string_view expression) {
  if (!differs_in_re2(expression)) return std::string(expression);
  static const re2::RE2 token(
      R"re((?s)\\Q.*?(?:\\E|\z)|\\.|\[\^?\]?(?:\[:.*?:\]|\\.|[^\]])*\]?|\((?:\?P?<[^>]*>?)?|.)re");
  static const re2::RE2 named_group(R"(\(\?P?<\w+>)");
  std::string made;
  std::ptrdiff_t nesting = 0;
  for (re2::StringPiece rest(expression); !rest.empty();) {
    const auto left = expression.substr(expression.size() - rest.size());
    if (!re2::RE2::Consume(&rest, token)) return pattern_error("invalid UTF-8", left);
    const auto next = left.substr(0, left.size() - rest.size());
    if (next == "\\C") return pattern_error("invalid escape sequence", next);
    const bool is_named = next.starts_with("(?");
    if (is_named && !re2::RE2::FullMatch(next, named_group)) {
      return pattern_error("invalid named capture", next.ends_with('>') ? next : left);
    }
    nesting += next[0] == '(' ? 1 : next == ")" ? -1 : 0;
    if (nesting > kMostNesting) return pattern_error("expression nests too deeply", expression);
    made += is_named ? "(" : next;
  }
  return made;
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view expression) {
  std::size_t cost = 0;
  return compile(expression, cost);
}

Result<Pattern> Pattern::compile(std::string_view expression, std::size_t& cost) {
  cost += kLeastSize;
  if (expression.size() > kMostPatternBytes) {
    return invalid_error("error parsing regexp: the expression has more than 65536 bytes");
  }
  const auto parsed = size_for_parser(expression);
  if (parsed > kMostSize) return pattern_error("expression too large", expression);
  KEELSON_LET(auto text, in_re2_syntax(expression));
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  auto program = std::make_shared<Program>(text, options);
  const auto& compiled = program->expression;
  if (!compiled.ok()) {
    const bool is_too_large = compiled.error_code() == re2::RE2::ErrorPatternTooLarge;
    const bool is_whole = compiled.error_arg() == text || is_too_large;
    cost += is_too_large ? kMostSize : parsed;
    return pattern_error(go_text(compiled.error_code()),
                         is_whole ? expression : std::string_view(compiled.error_arg()));
  }
  options.set_max_mem(std::clamp(compiled.ProgramSize() * kMemoryPerInstruction, kLeastMemory, kMostMemory));
  if (auto smaller = std::make_shared<Program>(text, options); smaller->expression.ok()) program = std::move(smaller);
  Pattern made(std::move(program));
  cost += made.size() - kLeastSize;
  if (made.size() <= kMostSize) return made;
  return pattern_error("expression too large", expression);
}

std::size_t Pattern::size() const { return kLeastSize + static_cast<std::size_t>(program_->expression.ProgramSize()); }

namespace {

// Subtracts the cost of reading so many bytes.
bool pay_for_match(std::size_t bytes, std::size_t size, std::size_t& steps) {
  const auto cost = 1 + bytes * (1 + size / kInstructionsPerStep);
  const bool suffices = cost <= steps;
  steps -= std::min(cost, steps);
  return suffices;
}

}  // namespace

std::optional<bool> Pattern::matches(std::string_view text, std::size_t& steps) const {
  if (!pay_for_match(text.size(), size(), steps)) return std::nullopt;
  // RE2 matches no character to an invalid byte.
  if (!base::is_utf8(text)) return re2::RE2::PartialMatch(base::to_valid_utf8(text), program_->expression);
  return re2::RE2::PartialMatch(text, program_->expression);
}

std::optional<Pattern::Match> Pattern::find(std::string_view text, std::size_t from, std::size_t& steps) const {
  if (!pay_for_match(text.size() - from, size(), steps)) return std::nullopt;
  re2::StringPiece found;
  if (!program_->expression.Match(text, from, text.size(), re2::RE2::UNANCHORED, &found, 1)) return Match{};
  return Match{static_cast<std::size_t>(found.data() - text.data()), found.size()};
}

}  // namespace keelson::cel
