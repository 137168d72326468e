#include "src/sandbox_program/answer_differences.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox_program {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& sent, const Answer& there, const Answer& here) {
  const auto document = json::Document::parse(sent);
  REQUIRE(document);
  return differences(document->root(), there, here);
}

Lines lines_of(const std::string& sent, const std::string& there, const std::string& here) {
  return lines_of(sent, Answer{.code = 201, .object = there}, Answer{.code = 201, .object = here});
}

TEST_CASE("each member that differs is a line with its path and both values") {
  CHECK(
      lines_of("{}", R"({"spec":{"a":1,"b":[{"c":"x"}],"d":{}}})", R"({"spec":{"b":[{"c":"y"}],"a":1,"e":null}})") ==
      Lines{R"(spec.b[0].c: "x" there, "y" here)", "spec.d: {} there, absent here", "spec.e: absent there, null here"});
  CHECK(lines_of("{}", R"({"a":[1]})", R"({"a":[1,2]})") == Lines{"a: [1] there, [1,2] here"});
}

TEST_CASE("what a server sets to a value of its own is compared only if it was sent") {
  const std::string there =
      R"({"metadata":{"name":"a-x","uid":"1","resourceVersion":"5"},"spec":{"clusterIP":"10.0.0.1","ports":[{"nodePort":1}]}})";
  const std::string here =
      R"({"metadata":{"name":"a-y","uid":"2","resourceVersion":"6"},"spec":{"clusterIP":"10.0.0.2","ports":[{"nodePort":2}]}})";

  CHECK(lines_of(R"({"metadata":{"generateName":"a-"},"spec":{"ports":[{}]}})", there, here).empty());
  CHECK(lines_of(R"({"metadata":{"name":"a-x"},"spec":{"ports":[{"nodePort":1}]}})", there, here) ==
        Lines{R"(metadata.name: "a-x" there, "a-y" here)", "spec.ports[0].nodePort: 1 there, 2 here"});
}

TEST_CASE("rejections are compared by code, reason and message") {
  const Answer invalid{.code = 422, .reason = "Invalid", .message = "spec: Required value"};
  const Answer other{.code = 422, .reason = "Invalid", .message = "spec: Invalid value"};
  const Answer bad{.code = 422, .reason = "Bad", .message = "spec: Required value"};

  CHECK(lines_of("{}", invalid, invalid).empty());
  CHECK(lines_of("{}", invalid, other) == Lines{"there: 422 spec: Required value", "here:  422 spec: Invalid value"});
  CHECK(lines_of("{}", invalid, bad) == Lines{"reason: Invalid there, Bad here"});
  CHECK(lines_of("{}", {.code = 201, .object = "{}"}, invalid) ==
        Lines{"there: 201", "here:  422 spec: Required value"});
}

TEST_CASE("long values and many differences are cut off") {
  std::string there = "{";
  for (int number = 0; number < 150; ++number) there += (number ? ",\"" : "\"") + std::to_string(number) + "\":1";
  const auto lines = lines_of("{}", there + "}", "{}");
  REQUIRE(lines.size() == 101);
  CHECK(lines.back() == "and 50 more differences");
  CHECK(lines_of("{}", R"({"a":")" + std::string(500, 'x') + "\"}", "{}").front().size() < 240);
}

}  // namespace
}  // namespace keelson::sandbox_program
