#include "website/website_validator.hpp"

#include <catch2/catch_test_macros.hpp>

namespace website {

TEST_CASE("website: the webhook requires an index, and names of files") {
  WebsiteSpec spec;
  auto errors = validate(spec);
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().message() == "spec.pages[index.html]: Required value");

  spec.pages = {{"index.html", ""}, {"a/b", ""}};
  errors = validate(spec);
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().message() == R"(spec.pages: Invalid value: "a/b": must be the name of a file)");
}

}  // namespace website
