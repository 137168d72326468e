// FNV-1a, a hash that is the same in every process and version, so that it can be part of a name or an annotation that
// is stored in the cluster (std::hash cannot: it differs between standard libraries).
//
// It distinguishes texts and protects nothing: anyone can find two texts with the same hash. Where a user gains by a
// collision, and for secrets, use tls/sha256.hpp. Both functions can be evaluated at compile time.
#pragma once

#include <cstdint>
#include <string_view>

namespace keelson::base {

// For a short suffix of a name. Of 10,000 texts two have the same hash with a probability of 1 %.
[[nodiscard]] constexpr std::uint32_t fnv1a_32(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// To detect that a text has changed, and to derive a seed from it.
[[nodiscard]] constexpr std::uint64_t fnv1a_64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace keelson::base
