#include "src/program/packed_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace keelson::program {
namespace {

TEST_CASE("a packed text consists of literal bytes and repetitions") {
  const std::vector<unsigned char> packed = {4, 'a', 'b', 'c', 'd', 'e', 129, 5, 0, 0, '!'};

  CHECK(unpack_text(packed) == "abcdeabcde!");
}

TEST_CASE("a repetition may contain itself") {
  const std::vector<unsigned char> packed = {0, '-', 255, 1, 0};

  CHECK(unpack_text(packed) == std::string(1 + kLongestMatch, '-'));
}

TEST_CASE("a repetition may be as far back as two bytes count") {
  std::vector<unsigned char> packed;
  for (int i = 0; i < 512; ++i) {
    packed.push_back(kMostLiterals - 1);
    for (std::size_t j = 0; j < kMostLiterals; ++j) packed.push_back(static_cast<unsigned char>('a' + i % 26));
  }
  packed.insert(packed.end(), {128, 0xFF, 0xFF});

  const auto text = unpack_text(packed);

  CHECK(text.size() == 65540);
  CHECK(text.ends_with("aaaa"));
}

TEST_CASE("an empty text is unpacked") { CHECK(unpack_text({}).empty()); }

}  // namespace
}  // namespace keelson::program
