#include "keelson/net/request_parameters.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::net {
namespace {

Result<Parameters> parse(std::string target, std::string body = "") {
  Request request;
  request.target = std::move(target);
  request.body = std::move(body);
  return parameters_of(request, {"kind", "since"});
}

TEST_CASE("parameters of the query and of a form are decoded") {
  CHECK(parse("/a")->empty());
  CHECK(parse("/a?")->empty());
  CHECK(parse("/a?kind=b%2Fc&since=")->at("kind") == "b/c");
  CHECK(parse("/a?kind=b", "since=10m\n")->at("since") == "10m");
  CHECK(parse("/a?kind=one+two%2B")->at("kind") == "one two+");
  CHECK(parameter(*parse("/a?since=1s"), "since") == "1s");
  CHECK(parameter(*parse("/a?since=1s"), "kind").empty());
}

TEST_CASE("a parameter that is unknown, given twice or not encoded is an error that names it") {
  struct Row {
    const char* target;
    const char* error;
  };
  for (const auto& [target, error] : {Row{"/a?sinse=1m", R"(unknown parameter "sinse": use kind, since)"},
                                      Row{"/a?=1m", R"(unknown parameter "": use kind, since)"},
                                      Row{"/a?kind=a&kind=b", "the parameter kind is given twice"},
                                      Row{"/a?kind=%zz", "the value of kind is not percent-encoded UTF-8"},
                                      Row{"/a?kind=%FF", "the value of kind is not percent-encoded UTF-8"}}) {
    INFO(target);
    const auto parsed = parse(target);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().message() == error);
  }
  CHECK_FALSE(parse("/a?kind=b", "kind=c").has_value());
}

}  // namespace
}  // namespace keelson::net
