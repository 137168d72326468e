#include "keelson/detail/json/reader.hpp"

#include <algorithm>
#include <cstring>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/json/grammar.hpp"
#include "src/json/number.hpp"

namespace keelson::json {

namespace {

// Encoders write at most 24 bytes. The limit exists because a number is read without a pause.
constexpr std::size_t kNumberBytes = 1024;

// Spaces and strings are read in portions of this many bytes, each then subtracted from the allowance.
constexpr std::size_t kPortion = 4096;

// The number of bytes at the front that are not special, at most `limit`.
std::size_t plain_length(std::string_view text, std::size_t limit) {
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= limit; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if (may_be_special(word)) break;
  }
  while (at < limit && !is_special(text[at])) ++at;
  return at;
}

}  // namespace

Token Reader::fail(std::size_t at, const char* reason) {
  has_failed_ = true;
  error_at_ = at;
  reason_ = reason;
  return Token::kFailed;
}

Error Reader::error() const { return json_error(reason_, error_at_); }

Token Reader::next() {
  if (has_failed_) return Token::kFailed;
  if (in_string_) return string_rest();
  for (;;) {
    if (!skip_space()) return Token::kPause;
    if (is_out_of_allowance()) return Token::kPause;
    const char first = peek();
    switch (expects_) {
      case Expects::kFirstItem:
        if (first == ']') return close();
        return value();
      case Expects::kValue:
        return value();
      case Expects::kFirstName:
        if (first == '}') return close();
        [[fallthrough]];
      case Expects::kName:
        if (first != '"') return fail(at_, "expected a member name");
        return begin_string(true);
      case Expects::kColon:
        if (first != ':') return fail(at_, "expected a colon");
        ++at_;
        spend(1);
        expects_ = Expects::kValue;
        break;
      case Expects::kSeparator:
        if (first == (is_object_[depth_] ? '}' : ']')) return close();
        if (first != ',') return fail(at_, "expected a comma or a closing bracket");
        ++at_;
        spend(1);
        expects_ = is_object_[depth_] ? Expects::kName : Expects::kValue;
        break;
      case Expects::kNothing:
        if (at_ < text_.size()) return fail(at_, "unexpected text after the value");
        begin_ = end_ = at_;
        is_quoted_ = false;
        return Token::kEnd;
    }
  }
}

// False if the allowance was used up within the spaces.
bool Reader::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) {
    if (is_out_of_allowance()) return false;
    const auto portion_end = std::min(text_.size(), at_ + std::min(kPortion, allowed_));
    const auto before = at_;
    while (at_ < portion_end && is_space(text_[at_])) ++at_;
    spend(at_ - before);
  }
  return true;
}

Token Reader::value() {
  const char first = peek();
  if (first == '{' || first == '[') return open(first);
  if (first == '"') return begin_string(false);
  return scalar();
}

Token Reader::open(char bracket) {
  if (depth_ == limits::kJsonDepth) return fail(at_, "nested too deep");
  is_object_[++depth_] = bracket == '{';
  is_quoted_ = false;
  begin_ = at_++;
  end_ = at_;
  spend(1);
  expects_ = bracket == '{' ? Expects::kFirstName : Expects::kFirstItem;
  return bracket == '{' ? Token::kBeginObject : Token::kBeginArray;
}

Token Reader::close() {
  const bool was_object = is_object_[depth_--];
  is_quoted_ = false;
  begin_ = at_++;
  end_ = at_;
  spend(1);
  after_value();
  return was_object ? Token::kEndObject : Token::kEndArray;
}

Token Reader::begin_string(bool is_name) {
  begin_ = ++at_;
  is_name_ = is_name;
  in_string_ = true;
  has_escapes_ = false;
  spend(2);
  return string_rest();
}

Token Reader::string_rest() {
  for (;;) {
    if (at_ >= text_.size()) return fail(at_, "a string is not closed");
    const auto plain =
        plain_length(text_.substr(at_), std::min({kPortion, text_.size() - at_, std::max<std::size_t>(allowed_, 1)}));
    at_ += plain;
    spend(plain);
    if (at_ >= text_.size()) continue;
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '"') break;
    if (is_out_of_allowance()) return Token::kPause;
    std::size_t length = 1;
    if (byte == '\\') {
      const auto escape = escape_length(text_.substr(at_ + 1));
      if (escape == 0) return fail(at_, "invalid escape in a string");
      has_escapes_ = true;
      length = 1 + escape;
    } else if (byte >= 0x80) {
      length = base::first_rune_bytes(text_.substr(at_));
      if (length == 0) return fail(at_, "invalid UTF-8");
    } else if (byte < 0x20) {
      return fail(at_, "control character in a string");
    }
    at_ += length;
    spend(length);
  }
  end_ = at_++;
  in_string_ = false;
  is_quoted_ = true;
  if (is_name_) {
    expects_ = Expects::kColon;
    return Token::kName;
  }
  after_value();
  return Token::kString;
}

Token Reader::scalar() {
  if (at_ >= text_.size()) return fail(at_, "expected a value");
  const auto length = scalar_length(text_.substr(at_, kNumberBytes + 1));
  if (length == 0) return fail(at_, "expected a value");
  if (length > kNumberBytes) return fail(at_, "number with too many digits");
  begin_ = at_;
  at_ += length;
  end_ = at_;
  is_quoted_ = false;
  spend(length);
  after_value();
  switch (text_[begin_]) {
    case 't':
      return Token::kTrue;
    case 'f':
      return Token::kFalse;
    case 'n':
      return Token::kNull;
    default:
      return Token::kNumber;
  }
}

std::optional<std::int64_t> Reader::integer() const {
  const auto text = body();
  if (text.find_first_of(".eE") == kNone) {
    if (const auto value = base::parse_number<std::int64_t>(text)) return *value;
    if (base::parse_number<std::uint64_t>(text)) return std::nullopt;
  }
  const auto real = parse_double(text);
  return real ? whole_number(*real) : std::nullopt;
}

std::optional<double> Reader::number() const { return parse_double(body()); }

std::string decoded(std::string_view body) {
  std::string out;
  while (!body.empty()) decode_some(body, body.size(), out);
  return out;
}

}  // namespace keelson::json
