#include "test/support/data_rows.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

using keelson::testing::data_rows;

namespace {

const std::string kPath = "test/unit/base/data_rows.txt";

std::string error_of(const std::string& path, const std::vector<std::string>& names) {
  try {
    (void)data_rows(path, names);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("a row of a data file has its values as they are written, and its place") {
  const auto rows = data_rows(kPath, {"name", "value"});

  REQUIRE(rows.size() == 2);
  CHECK(rows[0].place() == kPath + ":2");
  CHECK(rows[0]["name"] == "a");
  CHECK(rows[0]["value"] == "first: 1\n  second");
  CHECK(rows[1].place() == kPath + ":6");
  CHECK(rows[1]["name"] == "b");
  CHECK(rows[1]["value"].empty());
}

TEST_CASE("a data file that is missing, malformed or has a field that the test does not read is an error") {
  CHECK(error_of("test/unit/base/none.txt", {"name"}) == "test/unit/base/none.txt: no rows");
  CHECK(error_of(kPath, {"name"}) == kPath + ":3: no field of this table: value: first: 1");
  const std::string begin = "test/unit/base/data_rows_without_";
  CHECK(error_of(begin + "colon.txt", {"name", "value"}) == begin + R"(colon.txt:2: no "name: value": value)");
  CHECK(error_of(begin + "space.txt", {"name", "value"}) == begin + R"(space.txt:2: no "name: value": value:b)");
}

}  // namespace
