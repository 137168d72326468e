#include "keelson/detail/net/request_parameters.hpp"

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

TEST_CASE("a parameter that is a duration has a limit, and may be absent") {
  using std::chrono::hours;
  const auto kind_of = [](const char* target) { return duration_parameter(*parse(target), "kind"); };

  CHECK(*kind_of("/a?kind=1h") == hours(1));
  CHECK(*kind_of("/a?kind=744h") == hours(744));
  CHECK(*kind_of("/a?kind=") == std::nullopt);
  CHECK(*kind_of("/a") == std::nullopt);
  for (const char* target : {"/a?kind=0s", "/a?kind=-1s", "/a?kind=744h1s", "/a?kind=5"}) CHECK_FALSE(kind_of(target));
  CHECK(kind_of("/a?kind=x").error().text ==
        "kind=\"x\" is not a duration of at most 744h0m0s: use for example 90s, 30m or 2h");
}

}  // namespace
}  // namespace keelson::net
