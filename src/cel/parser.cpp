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
    if (!failed_ && now().kind != Token::Kind::kEnd) unexpected();
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
  Node list();
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
    if (!take(symbol)) unexpected(symbol);
  }
  void unexpected(std::string_view wanted = "") {
    auto why = "mismatched input '" + now().text + "'";
    if (!wanted.empty()) why += " expecting '" + std::string(wanted) + "'";
    fail(now().offset, "Syntax error: " + why);
  }
  void fail(std::size_t offset, const std::string& why) {
    if (!failed_) failed_ = error_at(text_, offset, why);
    at_ = tokens_.size() - 1;
  }
  Node made(Node node) {
    for (const auto& part : node.parts) node.depth = std::max(node.depth, part.depth + 1);
    if (node.depth > kMostDepth)
      fail(node.offset, "expression recursion limit exceeded: " + std::to_string(kMostDepth));
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

struct Operators {
  std::vector<std::pair<std::string_view, const char*>> symbols;
};

// The lowest precedence first.
const std::vector<Operators>& levels() {
  static const std::vector<Operators> all{
      {{{"||", "_||_"}}},
      {{{"&&", "_&&_"}}},
      {{{"<", "_<_"}, {"<=", "_<=_"}, {">=", "_>=_"}, {">", "_>_"}, {"==", "_==_"}, {"!=", "_!=_"}, {"in", "@in"}}},
      {{{"+", "_+_"}, {"-", "_-_"}}},
      {{{"*", "_*_"}, {"/", "_/_"}, {"%", "_%_"}}},
  };
  return all;
}

Node Parser::expression() {
  if (++nested_ > kMostNested)
    fail(now().offset, "expression recursion limit exceeded: " + std::to_string(kMostNested));
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
  std::vector<Node> parts;
  parts.push_back(std::move(condition));
  parts.push_back(std::move(yes));
  parts.push_back(std::move(no));
  return make(SyntaxKind::kChoice, offset, std::move(parts));
}

Node Parser::binary(std::size_t level) {
  if (level == levels().size()) return unary();
  auto left = binary(level + 1);
  while (!failed_) {
    const auto& symbols = levels()[level].symbols;
    auto found = std::ranges::find_if(symbols, [this](const auto& row) {
      return now().text == row.first && (now().kind == Token::Kind::kSymbol || row.first == "in") &&
             now().kind != Token::Kind::kLiteral;
    });
    if (found == symbols.end()) return left;
    auto offset = now().offset;
    ++at_;
    auto right = binary(level + 1);
    std::vector<Node> parts;
    parts.push_back(std::move(left));
    parts.push_back(std::move(right));
    if (level > 1) {
      left = make_call(found->second, offset, std::move(parts));
      continue;
    }
    auto kind = level == 0 ? SyntaxKind::kOr : SyntaxKind::kAnd;
    if (parts[0].kind == kind) {  // one node with many parts, so that long chains are not deep
      parts[0].parts.push_back(std::move(parts[1]));
      left = made(std::move(parts[0]));
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
    std::vector<Node> parts;
    parts.push_back(std::move(inner));
    return make_call("!_", offset, std::move(parts));
  }
  if (sees("-")) {
    bool is_negated = false;
    while (take("-")) is_negated = !is_negated;
    bool is_literal = now().kind == Token::Kind::kLiteral && now().value.is_number();
    auto inner = member();
    if (!is_negated) return inner;
    if (is_literal && inner.kind == SyntaxKind::kLiteral) {
      inner.offset = offset;
      const auto& value = inner.value;
      if (value.is(Value::Kind::kInt)) {
        inner.value = Value::of_int(static_cast<std::int64_t>(std::uint64_t{0} - value.unsigned_integer()));
        return inner;
      }
      if (value.is(Value::Kind::kDouble)) {
        inner.value = Value::of_double(-value.real());
        return inner;
      }
    }
    std::vector<Node> parts;
    parts.push_back(std::move(inner));
    return make_call("-_", offset, std::move(parts));
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
      std::vector<Node> parts;
      parts.push_back(std::move(node));
      node = make(SyntaxKind::kOptionalSelect, offset, std::move(parts), name);
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
  std::vector<Node> parts;
  parts.push_back(std::move(target));
  parts.push_back(expression());
  expect("]");
  if (is_optional) return make(SyntaxKind::kOptionalIndex, offset, std::move(parts));
  return make_call("_[_]", offset, std::move(parts));
}

Node Parser::after_dot(Node target) {
  auto name = now().text;
  auto offset = now().offset;
  if (now().kind != Token::Kind::kName) {
    unexpected("IDENTIFIER");
    return target;
  }
  ++at_;
  bool is_library = target.kind == SyntaxKind::kName && (target.name == "optional" || target.name == "sets" ||
                                                         target.name == "strings" || target.name == "format");
  if (is_library && sees("(")) {
    ++at_;
    return call(target.name + "." + name, offset, std::nullopt);
  }
  if (take("(")) return call(std::move(name), offset, std::move(target));
  std::vector<Node> parts;
  parts.push_back(std::move(target));
  return make(SyntaxKind::kSelect, offset - 1, std::move(parts), name);
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
  if (!target && name == "has") {
    if (list.size() != 1 || list[0].kind != SyntaxKind::kSelect) {
      fail(list.empty() ? offset : list[0].offset, "invalid argument to has() macro");
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

std::optional<Node> Parser::macro(const std::string& name, std::size_t offset, Node& target,
                                  std::vector<Node>& arguments) {
  static const std::map<std::string, SyntaxKind, std::less<>> kMacros{{"all", SyntaxKind::kAll},
                                                                      {"exists", SyntaxKind::kExists},
                                                                      {"exists_one", SyntaxKind::kExistsOne},
                                                                      {"existsOne", SyntaxKind::kExistsOne},
                                                                      {"filter", SyntaxKind::kFilter},
                                                                      {"map", SyntaxKind::kTransform},
                                                                      {"optMap", SyntaxKind::kOptionalMap}};
  auto found = kMacros.find(name);
  if (found == kMacros.end() || arguments.size() < 2 || arguments.size() > 3) return std::nullopt;
  bool is_quantifier = found->second == SyntaxKind::kAll || found->second == SyntaxKind::kExists ||
                       found->second == SyntaxKind::kExistsOne;
  if (arguments.size() == 3 && !is_quantifier && found->second != SyntaxKind::kTransform) return std::nullopt;
  std::size_t variables = is_quantifier ? arguments.size() - 1 : 1;
  for (std::size_t i = 0; i < variables; ++i) {
    if (arguments[i].kind == SyntaxKind::kName) continue;
    fail(arguments[i].offset, "argument must be a simple name");
    return Node();
  }
  Node node{.kind = found->second, .offset = offset, .name = name};
  node.variable = arguments[0].name;
  if (variables == 2) node.second_variable = arguments[1].name;
  node.parts.push_back(std::move(target));
  for (std::size_t i = variables; i < arguments.size(); ++i) node.parts.push_back(std::move(arguments[i]));
  return made(std::move(node));
}

Node Parser::list() {
  auto offset = tokens_[at_ - 1].offset;
  std::vector<Node> items;
  while (!failed_ && !sees("]")) {
    items.push_back(expression());
    if (!take(",")) break;
  }
  expect("]");
  return make(SyntaxKind::kList, offset, std::move(items));
}

Node Parser::map() {
  auto offset = tokens_[at_ - 1].offset;
  std::vector<Node> entries;
  while (!failed_ && !sees("}")) {
    entries.push_back(expression());
    expect(":");
    entries.push_back(expression());
    if (!take(",")) break;
  }
  expect("}");
  return make(SyntaxKind::kMap, offset, std::move(entries));
}

Node Parser::primary() {
  auto token = now();
  if (token.kind == Token::Kind::kLiteral) {
    ++at_;
    bool is_too_large =
        token.value.is(Value::Kind::kInt) && token.value.integer() == std::numeric_limits<std::int64_t>::min();
    if (is_too_large && (at_ < 2 || tokens_[at_ - 2].text != "-")) fail(token.offset, "invalid int literal");
    return {.offset = token.offset, .value = token.value};
  }
  if (take("(")) {
    auto inner = expression();
    expect(")");
    return inner;
  }
  if (take("[")) return list();
  if (take("{")) return map();
  take(".");
  if (now().kind != Token::Kind::kName || now().text == "in") {
    unexpected();
    return {};
  }
  token = now();
  ++at_;
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
