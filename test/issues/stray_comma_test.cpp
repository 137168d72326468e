// yaml-cpp 0.7 reports an empty document at a comma or bracket that begins no value, repeatedly and without
// progress: the process hung and its memory grew.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/yaml.hpp"

using keelson::json::yaml_to_json;

TEST_CASE("YAML that begins with a stray comma is rejected and does not cause an endless loop") {
  for (const char* text : {",", ", a"}) {
    const auto converted = yaml_to_json(text);

    INFO(text);
    REQUIRE_FALSE(converted);
    CHECK(converted.error().message() == "yaml: line 1, column 1: unexpected token");
  }
  CHECK_FALSE(yaml_to_json("a: 1\n]"));
}
