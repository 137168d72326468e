#include "website/website_validator.hpp"

#include <catch2/catch_test_macros.hpp>

namespace website {

TEST_CASE("website: the webhook requires an index, and names of files") {
  Website object;
  auto errors = validate(object, nullptr);
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().message() == "spec.pages[index.html]: Required value");

  object.spec.pages = {{"index.html", ""}, {"a/b", ""}};
  errors = validate(object, nullptr);
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().message() == R"(spec.pages: Invalid value: "a/b": must be the name of a file)");
}

TEST_CASE("website: an update that leaves the pages unchanged is accepted, whatever they are") {
  Website old;
  old.spec.pages = {{"a/b", ""}};
  auto object = old;
  object.metadata.labels = {{"team", "a"}};
  CHECK(validate(object, &old).empty());

  object.spec.pages = {{"c/d", ""}};
  CHECK(validate(object, &old).size() == 2);
}

}  // namespace website
