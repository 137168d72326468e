#include "keelson/detail/base/percent_encoding.hpp"

#include <catch2/catch_test_macros.hpp>

using keelson::base::percent_decode;
using keelson::base::percent_encode;

TEST_CASE("every byte that is not plain is encoded, and decoded to itself") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);

  const auto encoded = percent_encode(all, [](char c) { return c >= 'a' && c <= 'y'; });

  CHECK(encoded.find("%00%01") == 0);
  CHECK(encoded.find("abcdefghijklmnopqrstuvwxy%7A") != std::string::npos);
  CHECK(encoded.size() == 25 + 3 * (256 - 25));
  CHECK(percent_decode(encoded) == all);
}

TEST_CASE("escapes are decoded in any case, and an incomplete or invalid escape is rejected") {
  CHECK(percent_decode("a%2fb%2Fc+") == "a/b/c+");
  CHECK(percent_decode("") == "");
  for (const char* text : {"%", "a%2", "%zz", "%2 ", "%%20"}) {
    INFO(text);
    CHECK_FALSE(percent_decode(text));
  }
}
