#include "keelson/detail/base/secure_random.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

namespace keelson::base {
namespace {

TEST_CASE("a secure text has its length and its alphabet, and never repeats") {
  std::set<std::string> seen;
  for (std::size_t length = 0; length <= 130; ++length) {
    const auto text = secure_random_text(length);
    CHECK(text.size() == length);
    CHECK(std::ranges::all_of(
        text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }));
  }
  for (int i = 0; i < 1000; ++i) CHECK(seen.insert(secure_random_text(24)).second);
}

TEST_CASE("all bytes of the source count the same, so each character has the same probability") {
  std::uint8_t next = 0;
  const auto count_up = [&next](std::span<std::uint8_t> bytes) {
    for (auto& byte : bytes) byte = next++;
  };

  const auto text = random_text(std::size_t{62} * 4 * 3, count_up);

  std::map<char, int> counts;
  for (const char c : text) ++counts[c];
  CHECK(counts.size() == 62);
  CHECK(std::ranges::all_of(counts, [](const auto& count) { return count.second == 12; }));
  CHECK(text.starts_with("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789ABC"));
}

}  // namespace
}  // namespace keelson::base
