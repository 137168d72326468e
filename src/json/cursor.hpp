// Cursor: a forward walk over a JSON text. The caller visits members and items, and skips or validates whole values.
//
// Nothing is allocated; an error is stored as an offset and a constant text. Positions only grow, so each block of the
// text is classified once.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <string_view>

#include "keelson/base/result.hpp"
#include "src/json/blocks.hpp"
#include "src/json/grammar.hpp"

namespace keelson::json {

template <class Code>
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {
    if (!text_.empty()) load();
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  // The functions below return kNone on failure; this is its reason.
  [[nodiscard]] Error error() const { return json_error(reason_, error_at_); }
  std::size_t fail(std::size_t at, const char* reason) {
    error_at_ = at;
    reason_ = reason;
    return kNone;
  }

  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  [[nodiscard]] std::size_t space(std::size_t at) const {
    while (at < text_.size() && is_space(text_[at])) ++at;
    return at;
  }
  [[nodiscard]] std::string_view slice(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }

  // visit(name_at, name_end, value_at) -> end of the value, for each member of the object at `at`; name_at is behind
  // the opening quote, name_end before the closing one. Returns the end of the object.
  template <class Visit>
  std::size_t members(std::size_t at, Visit visit);
  // visit(value_at) -> end of the value, for each item of the array at `at`.
  template <class Visit>
  std::size_t items(std::size_t at, Visit visit);

  // The end of the value at `at`. Skipped: strings are closed and brackets balanced. Checked: well-formed, and nested
  // no deeper than `depth_left`.
  std::size_t skip(std::size_t at);
  std::size_t check(std::size_t at, std::size_t depth_left);
  // The end of the string whose opening quote is at `at`.
  std::size_t string_end(std::size_t at);

  // True if only white space follows; otherwise the cursor fails.
  bool ends_after(std::size_t at) {
    if (space(at) == text_.size()) return true;
    fail(space(at), "unexpected text after the value");
    return false;
  }

 private:
  struct Checker;

  void load();
  void seek(std::size_t at) {
    while (block_ < at / kBlock) {
      ++block_;
      load();
    }
  }
  [[nodiscard]] bool is_last_block() const { return (block_ + 1) * kBlock >= text_.size(); }
  std::size_t skip_container(std::size_t at);

  std::string_view text_;
  std::size_t block_ = 0;
  StringState strings_;
  const char* bytes_ = nullptr;  // of the current block, padded with spaces
  std::array<char, kBlock> tail_{};
  StringState::Masks string_{};
  std::uint64_t open_ = 0;
  std::uint64_t close_ = 0;

  std::size_t error_at_ = 0;
  const char* reason_ = "";
};

template <class Code>
void Cursor<Code>::load() {
  const std::size_t start = block_ * kBlock;
  const std::size_t length = std::min(kBlock, text_.size() - start);
  bytes_ = padded(text_.data() + start, length, tail_);
  const BracketMasks masks = Code::brackets(bytes_);
  string_ = strings_.next(masks.backslash, masks.quote, length);
  open_ = masks.open & ~string_.inside;
  close_ = masks.close & ~string_.inside;
}

template <class Code>
template <class Visit>
std::size_t Cursor<Code>::members(std::size_t at, Visit visit) {
  at = space(at + 1);
  if (peek(at) == '}') return at + 1;
  while (true) {
    if (peek(at) != '"') return fail(at, "expected a member name");
    const std::size_t name_end = string_end(at);
    if (name_end == kNone) return kNone;
    const std::size_t colon = space(name_end);
    if (peek(colon) != ':') return fail(colon, "expected a colon");
    const std::size_t value_end = visit(at + 1, name_end - 1, space(colon + 1));
    if (value_end == kNone) return kNone;
    at = space(value_end);
    if (peek(at) == '}') return at + 1;
    if (peek(at) != ',') return fail(at, "expected a comma or }");
    at = space(at + 1);
  }
}

template <class Code>
template <class Visit>
std::size_t Cursor<Code>::items(std::size_t at, Visit visit) {
  at = space(at + 1);
  if (peek(at) == ']') return at + 1;
  while (true) {
    const std::size_t value_end = visit(at);
    if (value_end == kNone) return kNone;
    at = space(value_end);
    if (peek(at) == ']') return at + 1;
    if (peek(at) != ',') return fail(at, "expected a comma or ]");
    at = space(at + 1);
  }
}

template <class Code>
std::size_t Cursor<Code>::skip(std::size_t at) {
  const char first = peek(at);
  if (first == '"') return string_end(at);
  if (first == '{' || first == '[') return skip_container(at);
  const std::size_t length = at < text_.size() ? scalar_length(text_.substr(at)) : 0;
  return length > 0 ? at + length : fail(at, "expected a value");
}

template <class Code>
std::size_t Cursor<Code>::string_end(std::size_t at) {
  std::size_t from = at + 1;
  while (from < text_.size()) {
    seek(from);
    const std::uint64_t quotes = string_.quote & (~std::uint64_t{0} << (from % kBlock));
    if (quotes != 0) return block_ * kBlock + static_cast<std::size_t>(std::countr_zero(quotes)) + 1;
    from = (block_ + 1) * kBlock;
  }
  return fail(text_.size(), "a string is not closed");
}

template <class Code>
std::size_t Cursor<Code>::skip_container(std::size_t at) {
  std::size_t depth = 0;
  while (at < text_.size()) {
    seek(at);
    const std::uint64_t range = ~std::uint64_t{0} << (at % kBlock);
    const std::size_t end = container_end(open_ & range, close_ & range, depth);
    if (end != kNone) return block_ * kBlock + end;
    at = (block_ + 1) * kBlock;
  }
  return fail(text_.size(), "a bracket is not closed");
}

}  // namespace keelson::json

#include "src/json/checker.hpp"
