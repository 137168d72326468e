// Validation of a container in blocks of 64 bytes; a part of cursor.hpp, which includes this file.
//
// JSON without spaces between its tokens is well-formed when (1) each token that begins a value or a name follows an
// opening bracket, a comma or a colon, and nothing else does; (2) names are where an object requires them, and only
// names are followed by a colon; (3) brackets match; (4) strings and scalars are valid. (1) and (2) concern adjacent
// bytes, so shifting masks by one bit checks a whole block; only brackets and scalars are checked one by one. Text with
// spaces, which no API server sends, is validated by check_container.
#pragma once

#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/json/cursor.hpp"

namespace keelson::json {

template <class Code>
struct Cursor<Code>::Checker {
  Checker(Cursor& c, std::size_t start_at, std::size_t depth) : cursor(c), start(start_at), depth_left(depth) {}

  Cursor& cursor;
  std::size_t start;
  std::size_t depth_left;

  std::bitset<limits::kJsonDepth + 1> is_object;  // by depth
  std::size_t depth = 0;
  bool has_high = false;
  bool has_spaces = false;

  // The class of the last byte of the previous block, as bit 0.
  std::uint64_t after_open = 0;
  std::uint64_t after_separator = 0;
  std::uint64_t after_scalar = 0;
  std::uint64_t name_expected = 0;
  std::uint64_t colon_expected = 0;
  std::uint64_t in_name = 0;

  // The brackets of a block.
  struct Brackets {
    std::uint64_t range;      // up to the container's end
    std::uint64_t in_object;  // bytes whose innermost bracket is {
    std::uint64_t open_object = 0;
    std::uint64_t wrong = 0;
    std::size_t end = kNone;
  };

  std::size_t run() {
    for (std::size_t at = start; at < cursor.text_.size(); at = (cursor.block_ + 1) * kBlock) {
      cursor.seek(at);
      const Brackets brackets = match(~std::uint64_t{0} << (at % kBlock));
      const std::uint64_t wrong = brackets.wrong | check_tokens(brackets);
      if (has_spaces) return run_bytewise();
      if (wrong != 0) return cursor.fail(position(wrong), "not well-formed");
      if (brackets.end != kNone) return finish(brackets.end);
    }
    return cursor.fail(cursor.text_.size(), "a bracket is not closed");
  }

  std::size_t position(std::uint64_t bits) const {
    return cursor.block_ * kBlock + static_cast<std::size_t>(std::countr_zero(bits));
  }

  std::size_t finish(std::size_t end) {
    if (has_high && !base::is_utf8(cursor.slice(start, end))) return cursor.fail(start, "invalid UTF-8");
    return end;
  }

  std::size_t run_bytewise() {
    const Extent extent = check_container(cursor.text_, start, depth_left);
    return extent.end == kNone ? cursor.fail(extent.error_at, "not well-formed") : extent.end;
  }

  Brackets match(std::uint64_t range) {
    Brackets found{range, 0};
    bool inside_object = depth > 0 && is_object[depth];
    std::uint64_t changes = inside_object ? 1 : 0;  // bit i: in_object changes at byte i
    for (std::uint64_t rest = (cursor.open_ | cursor.close_) & range; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & (~rest + 1);
      const char byte = cursor.bytes_[std::countr_zero(bit)];
      if ((cursor.open_ & bit) != 0) {
        if (depth == depth_left) {
          found.wrong = bit;
          break;
        }
        is_object[++depth] = byte == '{';
        if (byte == '{') found.open_object |= bit;
      } else {
        if (is_object[depth] != (byte == '}')) {
          found.wrong = bit;
          break;
        }
        if (--depth == 0) {
          found.range &= bit | (bit - 1);
          found.end = position(bit) + 1;
          break;
        }
      }
      if (is_object[depth] != inside_object) {
        inside_object = !inside_object;
        changes ^= bit << 1;
      }
    }
    found.in_object = prefix_xor(changes);
    return found;
  }

  // The bytes of the block that are invalid at their position.
  std::uint64_t check_tokens(const Brackets& brackets) {
    const GrammarMasks masks = Code::grammar(cursor.bytes_);
    const std::uint64_t range = brackets.range;
    const std::uint64_t inside = cursor.string_.inside & range;
    const std::uint64_t outside = ~(cursor.string_.inside | cursor.string_.quote) & range;
    const std::uint64_t open_quote = cursor.string_.quote & inside;
    const std::uint64_t open = cursor.open_ & range;
    const std::uint64_t close = cursor.close_ & range;
    const std::uint64_t comma = masks.comma & outside;
    const std::uint64_t colon = masks.colon & outside;
    const std::uint64_t scalar = outside & ~(open | close | comma | colon);
    if (((masks.space | masks.unusual) & outside) != 0) has_spaces = true;

    const std::uint64_t follows_scalar = follow(scalar, after_scalar);
    const std::uint64_t scalar_start = scalar & ~follows_scalar;
    const std::uint64_t follows_open = follow(open, after_open);
    std::uint64_t follows_separator = follow(comma | colon, after_separator);
    if (cursor.block_ == start / kBlock) follows_separator |= std::uint64_t{1} << (start % kBlock);
    const std::uint64_t token = open_quote | open | scalar_start;

    std::uint64_t wrong = token & ~(follows_open | follows_separator);
    wrong |= (comma | colon) & (follows_open | follows_separator);
    wrong |= close & follows_separator;

    const std::uint64_t expects_name =
        follow(brackets.open_object | (comma & brackets.in_object), name_expected) & range;
    wrong |= expects_name & ~(open_quote | close);
    const std::uint64_t expects_colon = follow(name_ends(open_quote & expects_name, inside), colon_expected) & range;
    wrong |= expects_colon ^ colon;

    wrong |= unusual_bytes(masks.unusual & inside);
    return wrong | bad_escapes(cursor.string_.escaped & inside) | bad_scalars(scalar_start);
  }

  // The bytes right behind those of the mask, with a carry from block to block.
  static std::uint64_t follow(std::uint64_t bits, std::uint64_t& carry) {
    const std::uint64_t follows = bits << 1 | carry;
    carry = bits >> 63;
    return follows;
  }

  // The closing quotes of the strings that begin at `starts`: an addition runs through each string's ones and carries
  // out behind its last byte, which is where the quote is.
  std::uint64_t name_ends(std::uint64_t starts, std::uint64_t inside) {
    const std::uint64_t sum = inside + starts;
    const std::uint64_t total = sum + in_name;
    in_name = sum < inside || total < sum ? 1 : 0;
    return total & ~inside;
  }

  // Control characters; bytes that are not ASCII are checked when the container is complete.
  std::uint64_t unusual_bytes(std::uint64_t bytes) {
    for (std::uint64_t rest = bytes; rest != 0; rest &= rest - 1) {
      const char byte = cursor.bytes_[std::countr_zero(rest)];
      if (static_cast<unsigned char>(byte) < 0x20) return rest & (~rest + 1);
      has_high = true;
    }
    return 0;
  }

  std::uint64_t bad_escapes(std::uint64_t escaped) const {
    for (std::uint64_t rest = escaped; rest != 0; rest &= rest - 1) {
      const std::size_t at = position(rest);
      const std::string_view after = cursor.text_.substr(at);
      if (escape_length(after) == 0 && !is_second_of_pair(at)) return rest & (~rest + 1);
    }
    return 0;
  }

  // A low surrogate is valid after a high one, which has been checked already.
  bool is_second_of_pair(std::size_t at) const {
    if (at < start + 8 || escape_length(cursor.text_.substr(at - 6)) != 11) return false;
    std::size_t backslashes = 0;
    while (cursor.text_[at - 7 - backslashes] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  std::uint64_t bad_scalars(std::uint64_t starts) const {
    for (std::uint64_t rest = starts; rest != 0; rest &= rest - 1) {
      if (scalar_length(cursor.text_.substr(position(rest))) == 0) return rest & (~rest + 1);
    }
    return 0;
  }
};

template <class Code>
std::size_t Cursor<Code>::check(std::size_t at, std::size_t depth_left) {
  const char first = peek(at);
  if (first == '{' || first == '[') {
    if (depth_left == 0) return fail(at, "nested too deep");
    return Checker(*this, at, depth_left).run();
  }
  const std::size_t end = skip(at);
  if (first == '"' && end != kNone && !is_string_body(slice(at + 1, end - 1))) return fail(at, "invalid string");
  return end;
}

}  // namespace keelson::json
