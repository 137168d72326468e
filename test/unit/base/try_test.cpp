#include "keelson/base/try.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

namespace keelson {
namespace {

Result<void> check(int number) { return number < 0 ? Result<void>(invalid_error("negative")) : Result<void>(); }
Result<std::unique_ptr<int>> boxed(int number) {
  if (number < 0) return invalid_error("negative");
  return std::make_unique<int>(number);
}

Result<int> sum(int left, int right) {
  KEELSON_TRY(check(left));
  KEELSON_LET(const auto first, boxed(left));
  KEELSON_LET(const auto second, boxed(right));
  return *first + *second;
}

TEST_CASE("KEELSON_LET declares the values, and the first error is returned") {
  CHECK(*sum(1, 2) == 3);
  CHECK(sum(-1, 2).error().text == "negative");
  CHECK(sum(1, -2).error().text == "negative");
}

Result<std::string> branch(bool first) {
  if (first)
    KEELSON_TRY(check(1));
  else
    return std::string("second");
  return std::string("first");
}

TEST_CASE("an else after KEELSON_TRY belongs to the if before it") {
  CHECK(*branch(true) == "first");
  CHECK(*branch(false) == "second");
}

}  // namespace
}  // namespace keelson
