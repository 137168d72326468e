#include "keelson/json/writer.hpp"

#include <cmath>
#include <cstring>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/json/grammar.hpp"

namespace keelson::json {
namespace {

void append_escape(std::string& out, unsigned char byte);
std::string go_number(double value);

}  // namespace

Writer& Writer::begin_object() {
  before_value();
  text_ += '{';
  open_.push_back(Inside::kObject);
  needs_comma_ = false;
  return *this;
}

Writer& Writer::end_object() {
  if (open_.empty() || open_.back() != Inside::kObject) fail("end_object()", "no object is open here");
  if (has_key_) fail("end_object()", "the last key has no value");
  open_.pop_back();
  text_ += '}';
  after_value();
  return *this;
}

Writer& Writer::begin_array() {
  before_value();
  text_ += '[';
  open_.push_back(Inside::kArray);
  needs_comma_ = false;
  return *this;
}

Writer& Writer::end_array() {
  if (open_.empty() || open_.back() != Inside::kArray) fail("end_array()", "no array is open here");
  open_.pop_back();
  text_ += ']';
  after_value();
  return *this;
}

Writer& Writer::key(std::string_view name) {
  if (open_.empty() || open_.back() != Inside::kObject) fail("key()", "no object is open here");
  if (has_key_) fail("key()", "the key before it has no value");
  if (needs_comma_) text_ += ',';
  append_quoted(text_, name);
  text_ += ':';
  has_key_ = true;
  return *this;
}

Writer& Writer::string(std::string_view value) {
  before_value();
  append_quoted(text_, value);
  after_value();
  return *this;
}

Writer& Writer::integer(std::int64_t value) { return raw(std::to_string(value)); }

Writer& Writer::unsigned_integer(std::uint64_t value) { return raw(std::to_string(value)); }

Writer& Writer::number(double value) {
  if (!std::isfinite(value)) fail("number()", "JSON has no infinity and no NaN");
  return raw(go_number(value));
}

Writer& Writer::real(double value) {
  if (!std::isfinite(value)) fail("real()", "JSON has no infinity and no NaN");
  std::string text = go_number(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return raw(text);
}

Writer& Writer::boolean(bool value) { return raw(value ? "true" : "false"); }

Writer& Writer::null() { return raw("null"); }

Writer& Writer::raw(std::string_view json) {
  if (json.empty()) fail("raw()", "the text is empty, and a value is needed");
  before_value();
  text_ += json;
  after_value();
  return *this;
}

std::string Writer::take() && {
  if (!is_complete_) fail("take()", open_.empty() ? "nothing was written" : "an object or array is still open");
  return std::move(text_);
}

// The message has sizes instead of the text, which may contain a Secret.
void Writer::fail(std::string_view call, std::string_view why) const {
  throw base::Misuse("json::Writer: " + std::string(call) + ": " + std::string(why) + " (after " +
                     std::to_string(text_.size()) + " bytes, " + std::to_string(open_.size()) + " levels deep)");
}

void Writer::before_value() {
  if (is_complete_) fail("a second value", "the document is complete");
  if (open_.empty()) return;
  if (open_.back() == Inside::kObject) {
    if (!has_key_) fail("a value", "it has no key, and an object is open");
    has_key_ = false;
  } else if (needs_comma_) {
    text_ += ',';
  }
}

void Writer::after_value() {
  needs_comma_ = true;
  is_complete_ = open_.empty();
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

void append_quoted(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t word = 0;
    if (text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if (!may_be_special(word)) {
        at += sizeof word;
        continue;
      }
    }
    if (!is_special(text[at])) {
      ++at;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80 ? 0 : base::first_rune_bytes(text.substr(at));
    // Go escapes U+2028 and U+2029, which are line ends in JavaScript.
    const bool is_line_separator = length == 3 && (text.substr(at, 3) == "\u2028" || text.substr(at, 3) == "\u2029");
    if (length > 0 && !is_line_separator) {
      at += length;
      continue;
    }
    out += text.substr(copied, at - copied);
    if (is_line_separator) {
      out += text.substr(at, 3) == "\u2028" ? "\\u2028" : "\\u2029";
    } else if (byte >= 0x80) {
      out += "\\ufffd";
    } else {
      append_escape(out, byte);
    }
    at += is_line_separator ? 3 : 1;
    copied = at;
  }
  out += text.substr(copied);
  out += '"';
}

namespace {

void append_escape(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      base::append_hex(out, byte, 2);
  }
}

// The format of Go's encoding/json: plain notation from 1e-6 up to 1e21, otherwise an exponent without a leading zero.
std::string go_number(double value) {
  const double size = std::fabs(value);
  const bool is_scientific = size != 0 && (size < 1e-6 || size >= 1e21);
  if (!is_scientific) return base::format_go_fixed(value);
  auto text = base::format_go_exponent(value);
  const std::size_t n = text.size();
  if (text[n - 3] == '-' && text[n - 2] == '0') text.erase(n - 2, 1);
  return text;
}

}  // namespace
}  // namespace keelson::json
