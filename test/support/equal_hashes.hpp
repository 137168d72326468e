// Texts for which std::hash<std::string> of libstdc++ returns the same value: names that an attacker would choose.
//
// libstdc++ uses MurmurHash64A with a constant seed. Each block of eight bytes can be inverted, so that for any first
// block there is a second one after which the state is the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace keelson::testing {

// `count` different texts of 16 letters, digits and other characters that JSON does not escape.
inline std::vector<std::string> texts_of_equal_hash(std::size_t count) {
  constexpr std::uint64_t kSeed = 0xc70f6907;
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995;
  constexpr std::uint64_t kInverse = 0x5f7a0ea7e59b19bd;
  static_assert(kFactor * kInverse == 1);
  constexpr auto kShifted = [](std::uint64_t value) { return value ^ (value >> 47); };  // its own inverse
  constexpr auto kIsPlain = [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; };
  constexpr std::size_t kBlock = sizeof(std::uint64_t);
  std::vector<std::string> texts;
  for (std::uint64_t number = 0; texts.size() < count; ++number) {
    std::string text(2 * kBlock, 'a');
    for (std::size_t i = 0; i < kBlock; ++i) text[i] = static_cast<char>('a' + ((number >> (4 * i)) & 15));
    std::uint64_t first = 0;
    std::memcpy(&first, text.data(), kBlock);
    const auto state = ((kSeed ^ (text.size() * kFactor)) ^ (kShifted(first * kFactor) * kFactor)) * kFactor;
    const auto second = kShifted(state * kInverse) * kInverse;
    std::memcpy(text.data() + kBlock, &second, kBlock);
    if (std::ranges::all_of(text, kIsPlain)) texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace keelson::testing
