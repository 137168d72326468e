// JSON that a test knows to be a valid object.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <utility>

#include "keelson/kube/object.hpp"

namespace keelson::testing {

inline kube::Object parsed_object(std::string_view json) {
  INFO(json);
  auto object = kube::Object::from_json(json);
  REQUIRE(object.has_value());
  return std::move(*object);
}

}  // namespace keelson::testing
