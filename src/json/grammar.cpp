#include "src/json/grammar.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/json/reader.hpp"

namespace keelson::json {
namespace {

std::size_t number_length(std::string_view text);
std::size_t literal_length(std::string_view text);

// Four hexadecimal digits, or -1.
std::int32_t hex4(std::string_view text);
bool is_high_surrogate(std::int32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(std::int32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }
void append_escape(std::string& out, std::string_view after_backslash);

class ContainerCheck {
 public:
  ContainerCheck(std::string_view text, std::size_t at, std::size_t depth_left)
      : text_(text), at_(at), depth_left_(depth_left) {}

  Extent run() {
    if (!open()) return wrong();
    while (!is_object_.empty()) {
      const bool ok = may_close_ && is_close() ? close() : member_or_item();
      if (!ok) return wrong();
    }
    return {at_, 0};
  }

 private:
  Extent wrong() const { return {kNone, at_}; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool is_close() const { return peek() == (is_object_.back() ? '}' : ']'); }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool open() {
    if (is_object_.size() == depth_left_) return false;
    is_object_.push_back(peek() == '{');
    ++at_;
    may_close_ = true;
    skip_space();
    return true;
  }

  bool close() {
    is_object_.pop_back();
    ++at_;
    return is_object_.empty() || after_value();
  }

  bool after_value() {
    skip_space();
    may_close_ = true;
    if (is_close()) return true;
    if (peek() != ',') return false;
    ++at_;
    may_close_ = false;
    skip_space();
    return true;
  }

  bool member_or_item() {
    if (is_object_.back()) {
      if (!string()) return false;
      skip_space();
      if (peek() != ':') return false;
      ++at_;
      skip_space();
    }
    if (peek() == '{' || peek() == '[') return open();
    if (peek() == '"') return string() && after_value();
    const std::size_t length = scalar_length(text_.substr(at_));
    at_ += length;
    return length > 0 && after_value();
  }

  bool string() {
    if (peek() != '"') return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || !is_string_body(text_.substr(at_ + 1, end - at_ - 1))) return false;
    at_ = end + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t depth_left_;
  std::vector<bool> is_object_;
  bool may_close_ = false;
};

}  // namespace

std::string at_byte(std::size_t offset) { return " (at byte " + std::to_string(offset) + ")"; }

Error json_error(const std::string& reason, std::size_t offset) {
  return malformed_error("JSON: " + reason + at_byte(offset));
}

std::size_t scalar_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t length = text[0] == '-' || base::is_digit(text[0]) ? number_length(text) : literal_length(text);
  if (length == text.size() || length == 0) return length;
  const char next = text[length];
  return next == ',' || next == '}' || next == ']' || is_space(next) ? length : 0;
}

bool is_string_body(std::string_view body) {
  for (std::size_t at = 0; at < body.size();) {
    const auto byte = static_cast<unsigned char>(body[at]);
    if (byte < 0x20 || byte == '"') return false;
    if (byte == '\\') {
      const std::size_t length = escape_length(body.substr(at + 1));
      if (length == 0) return false;
      at += 1 + length;
    } else if (byte < 0x80) {
      ++at;
    } else {
      const std::size_t length = base::first_rune_bytes(body.substr(at));
      if (length == 0) return false;
      at += length;
    }
  }
  return true;
}

std::size_t escape_length(std::string_view after_backslash) {
  if (after_backslash.empty()) return 0;
  if (after_backslash[0] != 'u') return std::string_view("\"\\/bfnrt").find(after_backslash[0]) == kNone ? 0 : 1;
  const std::int32_t unit = hex4(after_backslash.substr(1));
  if (unit < 0 || is_low_surrogate(unit)) return 0;
  if (!is_high_surrogate(unit)) return 5;
  const std::string_view second = after_backslash.substr(5);
  const bool is_pair = second.starts_with("\\u") && is_low_surrogate(hex4(second.substr(2)));
  return is_pair ? 11 : 0;
}

bool decode_string(std::string_view body, std::string& out) {
  if (!is_string_body(body)) return false;
  while (!body.empty()) decode_some(body, body.size(), out);
  return true;
}

void decode_some(std::string_view& body, std::size_t bytes, std::string& out) {
  const std::size_t begun = body.size();
  while (!body.empty() && begun - body.size() < bytes) {
    const std::size_t left = bytes - (begun - body.size());
    const std::size_t plain = std::min({body.substr(0, left).find('\\'), left, body.size()});
    out += body.substr(0, plain);
    body.remove_prefix(plain);
    if (body.empty() || body[0] != '\\') continue;
    append_escape(out, body.substr(1));
    body.remove_prefix(1 + escape_length(body.substr(1)));
  }
}

Extent check_container(std::string_view text, std::size_t at, std::size_t depth_left) {
  return ContainerCheck(text, at, depth_left).run();
}

namespace {

std::size_t number_length(std::string_view text) {
  std::size_t at = text[0] == '-' ? 1 : 0;
  const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto digits = [&] {
    const std::size_t first = at;
    while (base::is_digit(peek())) ++at;
    return at > first;
  };
  if (peek() == '0') {
    ++at;
  } else if (!digits()) {
    return 0;
  }
  if (peek() == '.') {
    ++at;
    if (!digits()) return 0;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    if (peek() == '+' || peek() == '-') ++at;
    if (!digits()) return 0;
  }
  return at;
}

std::size_t literal_length(std::string_view text) {
  for (const std::string_view literal : {"true", "false", "null"}) {
    if (text.starts_with(literal)) return literal.size();
  }
  return 0;
}

std::int32_t hex4(std::string_view text) {
  if (text.size() < 4) return -1;
  std::int32_t value = 0;
  for (const char digit : text.substr(0, 4)) {
    const int four_bits = base::hex_value(digit);
    if (four_bits < 0) return -1;
    value = value * 16 + four_bits;
  }
  return value;
}

void append_escape(std::string& out, std::string_view after_backslash) {
  switch (after_backslash[0]) {
    case 'b':
      out += '\b';
      return;
    case 'f':
      out += '\f';
      return;
    case 'n':
      out += '\n';
      return;
    case 'r':
      out += '\r';
      return;
    case 't':
      out += '\t';
      return;
    case 'u':
      break;
    default:
      out += after_backslash[0];
      return;
  }
  auto code_point = static_cast<std::uint32_t>(hex4(after_backslash.substr(1)));
  if (is_high_surrogate(static_cast<std::int32_t>(code_point))) {
    const auto low = static_cast<std::uint32_t>(hex4(after_backslash.substr(7)));
    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
  }
  base::append_utf8(out, code_point);
}

}  // namespace
}  // namespace keelson::json
