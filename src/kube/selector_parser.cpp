#include "src/kube/selector_parser.hpp"

#include <algorithm>
#include <set>

#include "keelson/base/try.hpp"

namespace keelson::kube {

namespace {

using Requirement = Selector::Requirement;
using Operator = Requirement::Operator;

bool is_label_name(std::string_view text) { return !text.empty() && detail::is_label_value(text); }

bool is_label_key(std::string_view key) {
  auto slash = key.find('/');
  if (slash == std::string_view::npos) return is_label_name(key);
  auto prefix = key.substr(0, slash);
  return !prefix.empty() && prefix.size() <= 253 && prefix.find_first_of("/_") == std::string_view::npos &&
         is_label_name(key.substr(slash + 1));
}

// Operators, brackets and commas are tokens of their own; whitespace only separates. The end is an empty token.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : rest_(text) { advance(); }
  [[nodiscard]] std::string_view peek() const { return current_; }
  std::string_view take() {
    auto token = current_;
    advance();
    return token;
  }
  [[nodiscard]] bool at_end() const { return current_.empty(); }
  [[nodiscard]] bool at_identifier() const {
    return !current_.empty() && kSymbols.find(current_.front()) == std::string_view::npos;
  }

 private:
  static constexpr std::string_view kSymbols = "=!(),><";
  static constexpr std::string_view kBlanks = " \t\r\n";

  void advance() {
    auto begin = std::min(rest_.find_first_not_of(kBlanks), rest_.size());
    rest_.remove_prefix(begin);
    current_ = rest_.substr(0, token_size());
    rest_.remove_prefix(current_.size());
  }

  [[nodiscard]] std::size_t token_size() const {
    if (rest_.substr(0, 2) == "==" || rest_.substr(0, 2) == "!=") return 2;
    auto end = rest_.find_first_of("=!(),>< \t\r\n");
    return end == 0 ? 1 : std::min(end, rest_.size());
  }

  std::string_view rest_;
  std::string_view current_;
};

Error unexpected(std::string_view found, std::string_view expected) {
  return invalid_error("found '" + std::string(found) + "', expected: " + std::string(expected));
}

// "(a,b)". An empty entry is the empty value, and "()" has one. A set, as in Kubernetes: the order is not significant.
Result<std::vector<std::string>> parse_values(Tokens& tokens) {
  if (tokens.peek() != "(") return unexpected(tokens.peek(), "'('");
  std::set<std::string> values;
  do {
    tokens.take();
    auto value = tokens.at_identifier() ? tokens.take() : std::string_view();
    if (!detail::is_label_value(value)) return invalid_error("invalid label value: '" + std::string(value) + "'");
    values.emplace(value);
  } while (tokens.peek() == ",");
  if (tokens.peek() != ")") return unexpected(tokens.peek(), "',' or ')'");
  tokens.take();
  return std::vector<std::string>(values.begin(), values.end());
}

Result<Requirement> parse_comparison(std::string label, Tokens& tokens) {
  auto op = tokens.take();
  if (op == "in" || op == "notin") {
    KEELSON_LET(auto values, parse_values(tokens));
    return Requirement{std::move(label), op == "in" ? Operator::kIn : Operator::kNotIn, std::move(values)};
  }
  if (op != "=" && op != "==" && op != "!=") return unexpected(op, "in, notin, =, ==, !=, gt, lt");
  std::string value(tokens.at_identifier() ? tokens.take() : std::string_view());
  if (!detail::is_label_value(value)) return invalid_error("invalid label value: '" + value + "'");
  return Requirement{std::move(label), op == "!=" ? Operator::kNotEquals : Operator::kEquals, {std::move(value)}};
}

Result<Requirement> parse_requirement(Tokens& tokens) {
  bool negated = tokens.peek() == "!";
  if (negated) tokens.take();
  if (!tokens.at_identifier()) return unexpected(tokens.peek(), "identifier");
  std::string label(tokens.take());
  if (!is_label_key(label)) return invalid_error("invalid label key: '" + label + "'");
  if (negated) return Requirement{std::move(label), Operator::kNotExists, {}};
  if (tokens.at_end() || tokens.peek() == ",") return Requirement{std::move(label), Operator::kExists, {}};
  return parse_comparison(std::move(label), tokens);
}

}  // namespace

Result<std::vector<Requirement>> parse_requirements(std::string_view text) {
  std::vector<Requirement> requirements;
  Tokens tokens(text);
  while (!tokens.at_end()) {
    auto requirement = parse_requirement(tokens);
    if (!requirement) return std::move(requirement).error().with_context("unable to parse requirement");
    requirements.push_back(std::move(*requirement));
    if (tokens.at_end()) break;
    auto separator = tokens.take();
    if (separator != ",") return unexpected(separator, "',' or 'end of string'");
    if (tokens.at_end()) return unexpected("", "identifier after ','");
  }
  return requirements;
}

}  // namespace keelson::kube
