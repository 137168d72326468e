#include "src/program/flags/flag_values.hpp"

#include <catch2/catch_test_macros.hpp>

using keelson::program::parse_namespaces;

TEST_CASE("namespaces are trimmed, sorted and named once") {
  CHECK(*parse_namespaces(" b ,a,, b,\t") == std::vector<std::string>{"a", "b"});
  CHECK(parse_namespaces("")->empty());
  CHECK(parse_namespaces(std::string(63, 'a')).has_value());
}

TEST_CASE("invalid names of namespaces are rejected") {
  for (const auto& text : {std::string("A"), std::string("a.b"), std::string("-a"), std::string("a-"),
                           std::string("a b"), std::string("\u00e4"), std::string(64, 'a')}) {
    CHECK_FALSE(parse_namespaces(text).has_value());
  }
}
