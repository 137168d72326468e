#include "src/cel/parser.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "keelson/base/try.hpp"
#include "src/cel/lexer.hpp"

namespace keelson::cel {

namespace {

using Node = Expression;
using SyntaxKind = Expression::Kind;

// The limits of cel-go. A tree of operators is as deep as the number of its operands.
constexpr std::size_t kMostNested = 100;
constexpr std::size_t kMostDepth = 250;

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Result<Node> run() {
    auto node = expression();
    if (!failed_ && now().kind != Token::Kind::kEnd) unexpected("<EOF>");
    if (failed_) return invalid_error(*failed_);
    return node;
  }

 private:
  Node expression();
  Node choice();
  Node binary(std::size_t level);
  Node unary();
  Node member();
  Node primary();
  [[nodiscard]] bool is_signed_literal() const;
  Node negative_literal();
  Node list(bool is_optional);
  Node map();
  Node after_dot(Node target);
  Node index(Node target, bool is_optional);
  Node call(std::string name, std::size_t offset, std::optional<Node> target);
  std::optional<Node> macro(const std::string& name, std::size_t offset, Node& target, std::vector<Node>& arguments);
  std::vector<Node> arguments();

  [[nodiscard]] const Token& now() const { return tokens_[at_]; }
  [[nodiscard]] bool sees(std::string_view symbol) const {
    return now().kind == Token::Kind::kSymbol && now().text == symbol;
  }
  bool take(std::string_view symbol) {
    if (failed_ || !sees(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (take(symbol)) return;
    const bool is_end = now().kind == Token::Kind::kEnd;
    if (!is_end) return unexpected("'" + std::string(symbol) + "'");
    fail(now().offset, "Syntax error: missing '" + std::string(symbol) + "' at '<EOF>'");
  }
  void unexpected(const std::string& wanted) {
    fail(now().offset, "Syntax error: mismatched input '" + now().text + "' expecting " + wanted);
  }
  void fail(std::size_t offset, const std::string& why) {
    if (!failed_) failed_ = error_at(text_, offset, why);
    at_ = tokens_.size() - 1;
  }
  Node made(Node node) {
    for (const auto& part : node.parts) node.depth = std::max(node.depth, part.depth + 1);
    return checked_depth(std::move(node));
  }
  // Looks at the new part only: a chain may have thousands.
  Node extended(Node node, Node part) {
    node.depth = std::max(node.depth, part.depth + 1);
    node.parts.push_back(std::move(part));
    return checked_depth(std::move(node));
  }
  Node checked_depth(Node node) {
    if (node.depth > kMostDepth) {
      fail(node.offset, "expression recursion limit exceeded: " + std::to_string(kMostDepth));
    }
    return node;
  }
  Node make(SyntaxKind kind, std::size_t offset, std::vector<Node> parts, std::string name = "") {
    return made({.kind = kind, .offset = offset, .name = std::move(name), .parts = std::move(parts)});
  }
  Node make_call(std::string name, std::size_t offset, std::vector<Node> parts) {
    return make(SyntaxKind::kCall, offset, std::move(parts), std::move(name));
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t nested_ = 0;
  std::optional<std::string> failed_;
};

using Operators = std::vector<std::pair<std::string_view, const char*>>;

// A list in braces would copy the nodes with all of their parts.
std::vector<Node> parts_of(auto... nodes) {
  std::vector<Node> parts;
  (parts.push_back(std::move(nodes)), ...);
  return parts;
}

bool is_reserved(std::string_view name) {
  static constexpr std::string_view kWords[] = {"as",        "break",  "const",  "continue", "else", "for",
                                                "function",  "if",     "import", "let",      "loop", "package",
                                                "namespace", "return", "var",    "void",     "while"};
  return std::ranges::find(kWords, name) != std::end(kWords);
}

// The lowest precedence first.
const std::vector<Operators>& levels() {
  static const std::vector<Operators> all{
      {{"||", "_||_"}},
      {{"&&", "_&&_"}},
      {{"<", "_<_"}, {"<=", "_<=_"}, {">=", "_>=_"}, {">", "_>_"}, {"==", "_==_"}, {"!=", "_!=_"}, {"in", "@in"}},
      {{"+", "_+_"}, {"-", "_-_"}},
      {{"*", "_*_"}, {"/", "_/_"}, {"%", "_%_"}},
  };
  return all;
}

Node Parser::expression() {
  if (++nested_ > kMostNested) {
    fail(now().offset, "expression recursion limit exceeded: " + std::to_string(kMostNested));
  }
  auto node = failed_ ? Node() : choice();
  --nested_;
  return node;
}

Node Parser::choice() {
  auto condition = binary(0);
  auto offset = now().offset;
  if (!take("?")) return condition;
  auto yes = binary(0);
  expect(":");
  auto no = expression();
  return make(SyntaxKind::kChoice, offset, parts_of(std::move(condition), std::move(yes), std::move(no)));
}

Node Parser::binary(std::size_t level) {
  if (level == levels().size()) return unary();
  auto left = binary(level + 1);
  while (!failed_) {
    const auto& symbols = levels()[level];
    auto found = std::ranges::find_if(symbols, [this](const auto& row) {
      return now().text == row.first && (now().kind == Token::Kind::kSymbol || row.first == "in") &&
             now().kind != Token::Kind::kLiteral;
    });
    if (found == symbols.end()) return left;
    auto offset = now().offset;
    ++at_;
    auto right = binary(level + 1);
    auto parts = parts_of(std::move(left), std::move(right));
    if (level > 1) {
      left = make_call(found->second, offset, std::move(parts));
      continue;
    }
    auto kind = level == 0 ? SyntaxKind::kOr : SyntaxKind::kAnd;
    if (parts[0].kind == kind) {  // one node with many parts, so that long chains are not deep
      left = extended(std::move(parts[0]), std::move(parts[1]));
    } else {
      left = make(kind, offset, std::move(parts), found->second);
    }
  }
  return left;
}

Node Parser::unary() {
  auto offset = now().offset;
  if (take("!")) {
    bool is_negated = true;
    while (take("!")) is_negated = !is_negated;
    auto inner = member();
    if (!is_negated) return inner;
    return make_call("!_", offset, parts_of(std::move(inner)));
  }
  if (sees("-") && !is_signed_literal()) {
    bool is_negated = false;
    while (take("-")) is_negated = !is_negated;
    auto inner = member();
    if (!is_negated) return inner;
    return make_call("-_", offset, parts_of(std::move(inner)));
  }
  return member();
}

Node Parser::member() {
  auto node = primary();
  while (!failed_) {
    auto offset = now().offset;
    if (take(".")) {
      node = after_dot(std::move(node));
    } else if (take(".?")) {
      auto name = now().text;
      if (now().kind != Token::Kind::kName) unexpected("IDENTIFIER");
      if (!failed_) ++at_;
      node = make(SyntaxKind::kOptionalSelect, offset, parts_of(std::move(node)), name);
    } else if (sees("[") || sees("[?")) {
      bool is_optional = sees("[?");
      ++at_;
      node = index(std::move(node), is_optional);
    } else {
      return node;
    }
  }
  return node;
}

Node Parser::index(Node target, bool is_optional) {
  auto offset = tokens_[at_ - 1].offset;
  auto parts = parts_of(std::move(target), expression());
  expect("]");
  return make_call(is_optional ? "_[?_]" : "_[_]", offset, std::move(parts));
}

Node Parser::after_dot(Node target) {
  auto name = now().text;
  auto offset = now().offset;
  if (now().kind != Token::Kind::kName) {
    unexpected("IDENTIFIER");
    return target;
  }
  ++at_;
  if (take("(")) return call(std::move(name), offset, std::move(target));
  return make(SyntaxKind::kSelect, offset - 1, parts_of(std::move(target)), name);
}

std::vector<Node> Parser::arguments() {
  std::vector<Node> list;
  if (take(")")) return list;
  do {
    list.push_back(expression());
  } while (take(","));
  expect(")");
  return list;
}

Node Parser::call(std::string name, std::size_t offset, std::optional<Node> target) {
  offset = tokens_[at_ - 1].offset;  // the bracket, as in cel-go
  auto list = arguments();
  if (failed_) return {};
  if (!target && name == "has" && list.size() == 1) {
    if (list[0].kind != SyntaxKind::kSelect) {
      fail(list[0].offset, "invalid argument to has() macro");
      return {};
    }
    list[0].kind = SyntaxKind::kHas;
    list[0].offset = offset;
    return std::move(list[0]);
  }
  if (target) {
    if (auto found = macro(name, offset, *target, list)) return std::move(*found);
    list.insert(list.begin(), std::move(*target));
  }
  auto node = make_call(std::move(name), offset, std::move(list));
  node.has_target = target.has_value();
  return node;
}

// A macro: the least and the most arguments, and how many of them are variables.
struct MacroForm {
  SyntaxKind kind;
  std::size_t least;
  std::size_t most;
  std::size_t variables;
};

const MacroForm* macro_form(std::string_view name, std::size_t arguments) {
  static const std::multimap<std::string, MacroForm, std::less<>> kMacros{
      {"all", {SyntaxKind::kAll, 2, 2, 1}},
      {"all", {SyntaxKind::kAll, 3, 3, 2}},
      {"exists", {SyntaxKind::kExists, 2, 2, 1}},
      {"exists", {SyntaxKind::kExists, 3, 3, 2}},
      {"exists_one", {SyntaxKind::kExistsOne, 2, 2, 1}},
      {"exists_one", {SyntaxKind::kExistsOne, 3, 3, 2}},
      {"existsOne", {SyntaxKind::kExistsOne, 2, 2, 1}},
      {"existsOne", {SyntaxKind::kExistsOne, 3, 3, 2}},
      {"filter", {SyntaxKind::kFilter, 2, 2, 1}},
      {"map", {SyntaxKind::kTransform, 2, 3, 1}},
      {"transformList", {SyntaxKind::kTransform, 3, 4, 2}},
      {"transformMap", {SyntaxKind::kTransformMap, 3, 4, 2}},
      {"transformMapEntry", {SyntaxKind::kTransformEntry, 3, 4, 2}},
      {"sortBy", {SyntaxKind::kSortBy, 2, 2, 1}},
      {"optMap", {SyntaxKind::kOptionalMap, 2, 2, 1}},
      {"optFlatMap", {SyntaxKind::kOptionalFlatMap, 2, 2, 1}}};
  const auto [first, last] = kMacros.equal_range(name);
  const auto found = std::find_if(
      first, last, [&](const auto& row) { return arguments >= row.second.least && arguments <= row.second.most; });
  return found == last ? nullptr : &found->second;
}

std::string wrong_variable(SyntaxKind kind, const std::string& name) {
  if (kind == SyntaxKind::kOptionalMap || kind == SyntaxKind::kOptionalFlatMap) {
    return name + "() variable name must be a simple identifier";
  }
  const bool is_list = kind == SyntaxKind::kFilter || kind == SyntaxKind::kSortBy || name == "map";
  return is_list ? "argument is not an identifier" : "argument must be a simple name";
}

std::optional<Node> Parser::macro(const std::string& name, std::size_t offset, Node& target,
                                  std::vector<Node>& arguments) {
  const auto* form = macro_form(name, arguments.size());
  if (form == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < form->variables; ++i) {
    if (arguments[i].kind == SyntaxKind::kName) continue;
    fail(arguments[i].offset, wrong_variable(form->kind, name));
    return Node();
  }
  Node node{.kind = form->kind, .offset = offset, .name = name};
  node.variable = arguments[0].name;
  if (form->variables == 2) node.second_variable = arguments[1].name;
  node.parts.push_back(std::move(target));
  for (std::size_t i = form->variables; i < arguments.size(); ++i) node.parts.push_back(std::move(arguments[i]));
  return made(std::move(node));
}

// The bracket is taken; `is_optional`: the first item is `?item`.
Node Parser::list(bool is_optional) {
  auto offset = tokens_[at_ - 1].offset;
  std::vector<Node> items;
  while (!failed_ && (is_optional || !sees("]"))) {
    is_optional = is_optional || take("?");
    items.push_back(expression());
    items.back().is_optional = is_optional;
    is_optional = false;
    if (!take(",")) break;
  }
  expect("]");
  return make(SyntaxKind::kList, offset, std::move(items));
}

Node Parser::map() {
  auto offset = tokens_[at_ - 1].offset;
  std::vector<Node> entries;
  while (!failed_ && !sees("}")) {
    const bool is_optional = take("?");
    entries.push_back(expression());
    expect(":");
    entries.push_back(expression());
    entries.back().is_optional = is_optional;
    if (!take(",")) break;
  }
  expect("}");
  return make(SyntaxKind::kMap, offset, std::move(entries));
}

// The sign belongs to a literal, unless another sign is before it.
bool Parser::is_signed_literal() const {
  if (!sees("-") || at_ + 1 >= tokens_.size()) return false;
  const auto& next = tokens_[at_ + 1];
  return next.kind == Token::Kind::kLiteral &&
         (next.value.is(Value::Kind::kInt) || next.value.is(Value::Kind::kDouble));
}

Node Parser::negative_literal() {
  const auto offset = now().offset;
  const auto value = tokens_[at_ + 1].value;
  at_ += 2;
  if (value.is(Value::Kind::kDouble)) return {.offset = offset, .value = Value::of_double(-value.real())};
  const auto negated = std::uint64_t{0} - value.unsigned_integer();
  return {.offset = offset, .value = Value::of_int(static_cast<std::int64_t>(negated))};
}

Node Parser::primary() {
  if (is_signed_literal()) return negative_literal();
  auto token = now();
  if (token.kind == Token::Kind::kLiteral) {
    ++at_;
    const bool is_too_large =
        token.value.is(Value::Kind::kInt) && token.value.integer() == std::numeric_limits<std::int64_t>::min();
    if (is_too_large) fail(token.offset, "invalid int literal");
    return {.offset = token.offset, .value = token.value};
  }
  if (take("(")) {
    auto inner = expression();
    expect(")");
    return inner;
  }
  if (take("[")) return list(false);
  if (take("[?")) return list(true);
  if (take("{")) return map();
  take(".");
  if (now().kind != Token::Kind::kName || now().text == "in") {
    unexpected(
        "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
        "IDENTIFIER}");
    return {};
  }
  token = now();
  ++at_;
  if (is_reserved(token.text)) {
    fail(token.offset, "reserved identifier: " + token.text);
    return {};
  }
  if (token.text == "true" || token.text == "false") {
    return {.offset = token.offset, .value = Value::of_bool(token.text == "true")};
  }
  if (token.text == "null") return {.offset = token.offset};
  if (take("(")) return call(token.text, token.offset, std::nullopt);
  return {.kind = SyntaxKind::kName, .offset = token.offset, .name = token.text};
}

}  // namespace

Result<Expression> parse_expression(std::string_view text) {
  KEELSON_LET(auto tokens, tokens_of(text));
  return Parser(text, std::move(tokens)).run();
}

std::string error_at(std::string_view text, std::size_t offset, const std::string& why) {
  if (text.empty()) return "ERROR: <input>:1:0: " + why;  // cel-go finds no line in it
  offset = std::min(offset, text.size());
  auto before = text.substr(0, offset);
  auto line = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  auto begin = line == 0 ? 0 : before.rfind('\n') + 1;
  auto column = offset - begin;
  auto whole = text.substr(begin, text.find('\n', begin) - begin);
  return "ERROR: <input>:" + std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + why + "\n | " +
         std::string(whole.substr(0, 1024)) + "\n | " + std::string(std::min<std::size_t>(column, 1024), '.') + "^";
}

}  // namespace keelson::cel
