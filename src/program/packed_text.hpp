// A packed text: long texts of the binary take 40% of their size. tools/text_packer packs them when the project is
// built.
//
// The first byte of each item decides: below kMatch, so many bytes and one more follow, as they are in the text. From
// kMatch on, the item repeats `byte - kMatch + kShortestMatch` bytes of the text so far; two bytes follow, the distance
// back from its end, little-endian.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace keelson::program {

inline constexpr unsigned kMatch = 128;
inline constexpr std::size_t kMostLiterals = kMatch;
inline constexpr std::size_t kShortestMatch = 4;
inline constexpr std::size_t kLongestMatch = kShortestMatch + 127;
inline constexpr std::size_t kFarthestMatch = 0xFFFF;

// `packed` must be complete, because it is part of the binary.
[[nodiscard]] inline std::string unpack_text(std::span<const unsigned char> packed) {
  std::string text;
  for (std::size_t at = 0; at < packed.size();) {
    const unsigned first = packed[at++];
    if (first < kMatch) {
      for (unsigned i = 0; i <= first; ++i) text.push_back(static_cast<char>(packed[at++]));
      continue;
    }
    const std::size_t distance = packed[at] + 256u * packed[at + 1];
    at += 2;
    // Byte by byte, because the repeated bytes may be in the item itself.
    for (std::size_t i = 0; i < first - kMatch + kShortestMatch; ++i) text.push_back(text[text.size() - distance]);
  }
  return text;
}

}  // namespace keelson::program
