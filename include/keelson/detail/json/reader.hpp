// Reader: a pull parser that reads a JSON text token by token, without a tree or an allocation, and in slices.
//
// Example (test/examples/json.cpp#reader):
//   // The number of members in all objects of an untrusted text.
//   Task<std::size_t> count_members(async::TimeSlice& slice, std::string text) {
//     json::Reader reader(text);
//     std::size_t members = 0;
//     for (auto token = reader.next(); token != json::Token::kEnd; token = reader.next()) {
//       if (token == json::Token::kFailed) co_return reader.error();
//       if (token == json::Token::kName) ++members;
//       if (token == json::Token::kPause) {  // the allowance is used up; initially it is 0
//         co_await slice.yield();
//         reader.allow(kSliceBytes);
//       }
//     }
//     co_return members;
//   }
//
// It validates everything: the grammar, nesting up to limits::kJsonDepth, the escapes and the UTF-8 of strings. Input
// is untrusted, so the reader also pauses within a string or white space of several megabytes. The text must outlive
// it.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/limits.hpp"

namespace keelson::json {

// What next() found.
enum class Token : std::uint8_t {
  kBeginObject,
  kEndObject,
  kBeginArray,
  kEndArray,
  kName,    // the name of a member; its value is the next token
  kString,  // this and the next four are whole values
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kEnd,     // the text is complete
  kPause,   // the allowance is used up
  kFailed,  // the text is not JSON: error() has the reason
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Sets the number of bytes that next() may read before it pauses; initially 0.
  void allow(std::size_t bytes) { allowed_ = bytes; }
  // The next token. After kEnd and kFailed it returns the same again.
  [[nodiscard]] Token next();

  // The bytes of the last token, as received; of names and strings the text between the quotes, with its escapes.
  [[nodiscard]] std::string_view body() const { return text_.substr(begin_, end_ - begin_); }
  // True if body() must be decoded with decoded() or decode_some().
  [[nodiscard]] bool has_escapes() const { return has_escapes_; }
  // The offsets of the begin and the end of the last token in the text, with its quotes.
  [[nodiscard]] std::size_t token_begin() const { return begin_ - (is_quoted_ ? 1 : 0); }
  [[nodiscard]] std::size_t token_end() const { return end_ + (is_quoted_ ? 1 : 0); }
  // The number of open brackets, with the bracket of a kBeginObject and without that of a kEndObject.
  [[nodiscard]] std::size_t depth() const { return depth_; }

  // The value of a kNumber, by the rules of View::integer and View::number.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<double> number() const;

  // After kFailed: kMalformed with the reason and the byte offset.
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

// Decodes about `bytes` of the body of a string that a Reader has validated: appends to `out`, and removes the decoded
// part from the front of `body`. Call it until `body` is empty.
void decode_some(std::string_view& body, std::size_t bytes, std::string& out);

// Such a body, decoded completely.
[[nodiscard]] std::string decoded(std::string_view body);

}  // namespace keelson::json
