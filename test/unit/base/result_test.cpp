#include "keelson/base/result.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "keelson/detail/base/error.hpp"

using keelson::Error;
using keelson::Result;

TEST_CASE("a result holds its value") {
  Result<std::string> result(std::string("text"));

  REQUIRE(result.has_value());
  CHECK(*result == "text");
  CHECK(result->size() == 4);
}

TEST_CASE("a result holds its error") {
  Result<int> result(keelson::invalid_error("bad"));

  REQUIRE_FALSE(result);
  CHECK(result.error().kind == Error::Kind::kInvalid);
  CHECK(result.error().text == "bad");
}

TEST_CASE("a move-only value is moved out of a result") {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(3));

  auto taken = std::move(result).value();

  CHECK(*taken == 3);
}

TEST_CASE("a Result<void> is a success by default and a failure with an error") {
  Result<void> good;
  Result<void> bad(keelson::transport_error("reset"));

  CHECK(good.has_value());
  REQUIRE_FALSE(bad);
  CHECK(bad.error().kind == Error::Kind::kTransport);
}
