// RapidJSON 1.1.0 asserts that a zero has no positive exponent, which ended the process, although "0e50" is valid.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"

using keelson::json::Document;

TEST_CASE("a zero with any exponent is zero") {
  for (const char* text : {"0e50", "-0.000e-7"}) {
    const auto document = Document::parse(text);

    INFO(text);
    REQUIRE(document);
    CHECK(document->root().number() == 0.0);
  }
}
