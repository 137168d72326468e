#include "keelson/detail/base/text_hash.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "test/support/equal_hashes.hpp"

namespace keelson::base {
namespace {

TEST_CASE("siphash_1_3 returns the values of the reference implementation") {
  // The key of the reference implementation's test vectors: the bytes 0, 1, … 15.
  const SipKey reference{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  const std::vector<std::pair<std::string, std::uint64_t>> with_reference_key = {
      {"", 0xabac0158050fc4dc},
      {"a", 0x1c2697ab786a6237},
      {"web-0", 0x84ad81a9091a0895},
      {"abcdefgh", 0x12d8c08c2ee9e620},
      {"a name of more than sixteen bytes", 0x4661ed9cc81e37be}};
  for (const auto& [text, hash] : with_reference_key) {
    INFO(text);
    CHECK(siphash_1_3(text, reference) == hash);
  }
  // Python's hash() of bytes, with PYTHONHASHSEED=0.
  CHECK(siphash_1_3("abcdefgh", {}) == 0x3f7b849c0b8e35ea);
  CHECK(siphash_1_3("a name of more than sixteen bytes", {}) == 0x97a03175e4893854);
}

TEST_CASE("texts that share a bucket under std::hash have different hashes") {
  constexpr std::size_t kTexts = 200;
  const auto texts = testing::texts_of_equal_hash(kTexts);
  TextSet<std::string> hashed(texts.begin(), texts.end());
  for (const auto& text : texts) REQUIRE(std::hash<std::string>{}(text) == std::hash<std::string>{}(texts.front()));

  std::vector<std::size_t> hashes;
  for (const auto& text : texts) hashes.push_back(TextHash{}(text));
  std::ranges::sort(hashes);
  CHECK(std::ranges::adjacent_find(hashes) == hashes.end());
  CHECK(hashed.contains(std::string_view(texts.back())));
}

TEST_CASE("a text has the same hash during the life of the process") {
  CHECK(TextHash{}("web") == TextHash{}(std::string("web")));
  CHECK(TextHash{}("web") != TextHash{}("wec"));
}

}  // namespace
}  // namespace keelson::base
