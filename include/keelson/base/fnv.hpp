// FNV-1a, a hash that is the same in every process and version. It distinguishes texts and protects nothing: for
// secrets use tls/sha256.hpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace keelson::base {

[[nodiscard]] constexpr std::uint32_t fnv1a_32(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

[[nodiscard]] constexpr std::uint64_t fnv1a_64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace keelson::base
