// TextHash: the hash of texts for unordered containers. A client that chooses the texts cannot choose ones of one hash.
//
// std::hash has the same seed in every process, so that any client can compute names that share a bucket: a ConfigMap
// with 120,000 of them would stop the loop for two minutes. TextHash is SipHash-1-3, as in Rust and Python, with a key
// that the process draws once from the kernel. It differs between processes: store no hash, and sort what leaves the
// process in the order of a container. For hashes that are stored use fnv.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace keelson::base {

struct SipKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

// For TextHash, and for tests that need the same hash in every process.
[[nodiscard]] std::uint64_t siphash_1_3(std::string_view text, SipKey key);

struct TextHash {
  using is_transparent = void;
  // Not noexcept: otherwise libstdc++ stores no hash in its nodes, and computes those of all keys in a bucket again.
  [[nodiscard]] std::size_t operator()(std::string_view text) const;
};

// `Text` is std::string or std::string_view. find() takes any text without a copy.
template <class Text, class Value>
using TextMap = std::unordered_map<Text, Value, TextHash, std::equal_to<>>;
template <class Text>
using TextSet = std::unordered_set<Text, TextHash, std::equal_to<>>;

}  // namespace keelson::base
