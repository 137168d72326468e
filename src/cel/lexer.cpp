#include "src/cel/lexer.hpp"

#include <algorithm>
#include <optional>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/cel/parser.hpp"

namespace keelson::cel {

namespace {

bool is_letter(char c) { return (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    while (!failed_) {
      skip_space();
      if (at_ >= text_.size()) break;
      read();
    }
    if (failed_) return invalid_error(*failed_);
    tokens_.push_back({Token::Kind::kEnd, text_.size(), "<EOF>", {}});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void fail(std::size_t offset, const std::string& why) {
    if (!failed_) failed_ = error_at(text_, offset, "Syntax error: " + why);
  }

  void fail_literal(const char* why) {
    if (!failed_) failed_ = error_at(text_, literal_, why);
  }

  void skip_space() {
    while (at_ < text_.size()) {
      char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  void read() {
    if (auto prefix = string_prefix()) return read_string(*prefix);
    if (base::is_digit(peek()) || (peek() == '.' && base::is_digit(peek(1)))) return read_number();
    if (is_letter(peek())) return read_name();
    read_symbol();
  }

  // The number of letters before a quote: r, b, or both.
  [[nodiscard]] std::optional<std::size_t> string_prefix() const {
    std::size_t size = 0;
    while (size < 2 && std::string_view("rRbB").find(peek(size)) != std::string_view::npos && peek(size) != '\0') {
      ++size;
    }
    if (peek(size) == '"' || peek(size) == '\'') return size;
    return std::nullopt;
  }

  void read_name() {
    auto begin = at_;
    while (is_letter(peek()) || base::is_digit(peek())) ++at_;
    add(Token::Kind::kName, begin, std::string(text_.substr(begin, at_ - begin)));
  }

  void read_symbol() {
    static constexpr std::string_view kSymbols[] = {"==", "!=", "<=", ">=", "&&", "||", ".?", "[?", "+",
                                                    "-",  "*",  "/",  "%",  "<",  ">",  "!",  "?",  ":",
                                                    ".",  ",",  "(",  ")",  "[",  "]",  "{",  "}"};
    for (auto symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      auto begin = at_;
      at_ += symbol.size();
      return add(Token::Kind::kSymbol, begin, std::string(symbol));
    }
    auto rune = base::first_rune(text_.substr(at_));
    fail(at_,
         "token recognition error at: '" + std::string(text_.substr(at_, std::max<std::size_t>(rune.bytes, 1))) + "'");
  }

  void read_number();
  void read_string(std::size_t prefix);
  void read_escape(std::string& out, bool is_bytes);
  void read_code(std::string& out, std::size_t digits, int radix, bool is_bytes);

  void add(Token::Kind kind, std::size_t offset, std::string text, Value value = {}) {
    tokens_.push_back({kind, offset, std::move(text), std::move(value)});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t literal_ = 0;  // the position of the text that is read
  std::vector<Token> tokens_;
  std::optional<std::string> failed_;
};

void Lexer::read_number() {
  auto begin = at_;
  bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
  if (is_hex) at_ += 2;
  auto is_digit_here = [&](char c) { return base::is_digit(c) || (is_hex && base::hex_value(c) >= 0); };
  while (is_digit_here(peek())) ++at_;
  bool is_real = false;
  if (!is_hex && peek() == '.' && base::is_digit(peek(1))) {
    is_real = true;
    ++at_;
    while (base::is_digit(peek())) ++at_;
  }
  bool has_exponent = !is_hex && base::to_lower(peek()) == 'e' &&
                      (base::is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && base::is_digit(peek(2))));
  if (has_exponent) {
    is_real = true;
    at_ += 2;
    while (base::is_digit(peek())) ++at_;
  }
  auto digits = text_.substr(begin, at_ - begin);
  auto whole = is_hex ? digits.substr(2) : digits;
  std::optional<Value> value;
  if (is_real) {
    const auto number = base::parse_number<double>(whole);
    if (number) value = Value::of_double(*number);
  } else if (base::to_lower(peek()) == 'u') {
    ++at_;
    const auto number = base::parse_number<std::uint64_t>(whole, is_hex ? 16 : 10);
    if (number) value = Value::of_uint(*number);
  } else {
    // The digits of the smallest int, without the sign: the parser combines both.
    const auto number = base::parse_number<std::uint64_t>(whole, is_hex ? 16 : 10);
    if (number && *number <= (std::uint64_t{1} << 63U)) value = Value::of_int(static_cast<std::int64_t>(*number));
  }
  if (!value && !failed_) {
    failed_ = error_at(text_, begin, is_real ? "invalid double literal" : "invalid int literal");
  }
  if (!value) return;
  add(Token::Kind::kLiteral, begin, std::string(text_.substr(begin, at_ - begin)), std::move(*value));
}

void Lexer::read_code(std::string& out, std::size_t digits, int radix, bool is_bytes) {
  const auto code = text_.substr(at_, digits);
  const auto point = code.size() == digits ? base::parse_number<std::uint32_t>(code, radix) : std::nullopt;
  if (!point) return fail(at_, "invalid escape sequence");
  const bool is_surrogate = *point >= 0xD800 && *point <= 0xDFFF;
  const bool is_name_of_byte = digits < 4;
  if (is_bytes && !is_name_of_byte) return fail_literal("unable to unescape string");
  if (*point > 0x10FFFF || is_surrogate) return fail_literal("invalid unicode code point");
  at_ += digits;
  if (is_bytes) {
    out += static_cast<char>(*point);
  } else {
    base::append_utf8(out, *point);
  }
}

void Lexer::read_escape(std::string& out, bool is_bytes) {
  static constexpr std::string_view kNames = "abfnrtv\\'\"`?";
  static constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\'\"`?";
  char c = peek();
  if (auto found = kNames.find(c); c != '\0' && found != std::string_view::npos) {
    ++at_;
    out += kValues[found];
  } else if (c == 'x' || c == 'X' || c == 'u' || c == 'U') {
    ++at_;
    read_code(out, c == 'u' ? 4 : c == 'U' ? 8 : 2, 16, is_bytes);
  } else if (c >= '0' && c <= '3') {
    read_code(out, 3, 8, is_bytes);
  } else {
    fail(at_, "token recognition error at: '\\" + std::string(1, c) + "'");
  }
}

void Lexer::read_string(std::size_t prefix) {
  const auto begin = literal_ = at_;
  auto letters = base::to_lower(text_.substr(at_, prefix));
  bool is_raw = letters.find('r') != std::string::npos;
  bool is_bytes = letters.find('b') != std::string::npos;
  at_ += prefix;
  std::string quote(1, peek());
  if (peek(1) == quote[0] && peek(2) == quote[0]) quote = std::string(3, quote[0]);
  at_ += quote.size();
  std::string out;
  while (!failed_ && !text_.substr(at_).starts_with(quote)) {
    if (at_ >= text_.size() || (quote.size() == 1 && (peek() == '\n' || peek() == '\r'))) {
      return fail(begin, "token recognition error at: '" + std::string(text_.substr(begin, 20)) + "'");
    }
    if (peek() == '\\' && !is_raw) {
      ++at_;
      read_escape(out, is_bytes);
    } else {
      out += text_[at_++];
    }
  }
  at_ += quote.size();
  add(Token::Kind::kLiteral, begin, std::string(text_.substr(begin, std::min(at_, text_.size()) - begin)),
      is_bytes ? Value::of_bytes(std::move(out)) : Value::of_string(std::move(out)));
}

}  // namespace

Result<std::vector<Token>> tokens_of(std::string_view text) { return Lexer(text).run(); }

}  // namespace keelson::cel
