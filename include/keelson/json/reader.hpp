// A pull parser: reads a JSON text token by token, without a tree or an allocation, and pauses when its allowance is
// used.
//
//   json::Reader reader(text);
//   reader.allow(slice);                       // bytes to read before next() pauses
//   auto token = reader.next();                // kPause: hand the loop back, allow() more, and call it again
//
// The reader checks everything: grammar, nesting up to limits::kJsonDepth, strings (escapes, UTF-8). Input is
// untrusted: it pauses also within a string or a run of spaces of megabytes. The text must outlive it.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/limits.hpp"
#include "keelson/base/result.hpp"

namespace keelson::json {

enum class Token : std::uint8_t {
  kBeginObject,
  kEndObject,
  kBeginArray,
  kEndArray,
  kName,    // of a member; its value follows
  kString,  // these and below are whole values
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kEnd,  // of the text
  kPause,
  kFailed,  // error() says why
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  void allow(std::size_t bytes) { allowed_ = bytes; }
  [[nodiscard]] Token next();

  // The bytes of the last token as they came: of names and strings what stands between the quotes, in which there may
  // be escapes.
  [[nodiscard]] std::string_view body() const { return text_.substr(begin_, end_ - begin_); }
  [[nodiscard]] bool has_escapes() const { return has_escapes_; }
  // Where the last token begins and ends in the text, its quotes included.
  [[nodiscard]] std::size_t token_begin() const { return begin_ - (is_quoted_ ? 1 : 0); }
  [[nodiscard]] std::size_t token_end() const { return end_ + (is_quoted_ ? 1 : 0); }
  // Open brackets, that of a kBeginObject included, that of a kEndObject not.
  [[nodiscard]] std::size_t depth() const { return depth_; }

  // Of a kNumber, as View has them.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<double> number() const;

  [[nodiscard]] Error error() const;

 private:
  enum class Expects : std::uint8_t { kValue, kFirstItem, kName, kFirstName, kColon, kSeparator, kNothing };

  [[nodiscard]] bool is_out_of_allowance() const { return allowed_ == 0; }
  void spend(std::size_t bytes) { allowed_ -= bytes < allowed_ ? bytes : allowed_; }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  Token fail(std::size_t at, const char* reason);
  bool skip_space();
  Token value();
  Token open(char bracket);
  Token close();
  Token begin_string(bool is_name);
  Token string_rest();
  Token scalar();
  void after_value() { expects_ = depth_ == 0 ? Expects::kNothing : Expects::kSeparator; }

  std::string_view text_;
  std::size_t allowed_ = 0;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t depth_ = 0;
  std::bitset<limits::kJsonDepth + 1> is_object_;  // by depth
  Expects expects_ = Expects::kValue;
  bool in_string_ = false;
  bool is_name_ = false;
  bool is_quoted_ = false;
  bool has_escapes_ = false;
  bool has_failed_ = false;
  std::size_t error_at_ = 0;
  const char* reason_ = "";
};

// Decodes about `bytes` of the body of a string that a Reader has checked: appends to `out` and removes what it used
// from the front of `body`.
void decode_some(std::string_view& body, std::size_t bytes, std::string& out);

// The whole of such a body.
[[nodiscard]] std::string decoded(std::string_view body);

}  // namespace keelson::json
