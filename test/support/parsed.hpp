// JSON that a test knows to be valid, as a document.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/json/value.hpp"

namespace keelson::testing {

inline json::Document parsed(std::string_view text) {
  INFO(text);
  auto document = json::Document::parse(std::string(text));
  REQUIRE(document.has_value());
  return std::move(*document);
}

}  // namespace keelson::testing
