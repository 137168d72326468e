#include "src/doctor/sample.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

SampleCount counted(const std::string& metadata, const std::string& items, std::size_t namespaces = 0) {
  SampleCount count(namespaces);
  count.add(parsed(R"({"metadata":{)" + metadata + R"(},"items":[)" + items + "]}").root());
  return count;
}

TEST_CASE("a sample says how many objects it lacks, as far as the API server knows") {
  CHECK(counted("", "{},{}").text() == "2 objects were examined");
  CHECK(counted("", "{}").text() == "1 object was examined");
  CHECK(counted(R"("continue":"t","remainingItemCount":40)", "{},{}").text() ==
        "2 objects were examined, 40 more were not");
  CHECK(counted(R"("continue":"t","remainingItemCount":1)", "{},{}").text() ==
        "2 objects were examined, 1 more was not");
  CHECK(counted(R"("continue":"t")", "{},{}").text() == "2 objects were examined, at least 1 more was not");
}

TEST_CASE("a sample of the first namespaces says how many there are") {
  CHECK(counted("", "{},{}", limits::kReviewedNamespaces).text() == "2 objects were examined");
  CHECK(counted("", "{},{}", limits::kReviewedNamespaces + 2).text() ==
        "2 objects were examined, in 5 of 7 namespaces");
}

TEST_CASE("a sample is partial if an object or a namespace is missing") {
  CHECK_FALSE(counted("", "{}", limits::kReviewedNamespaces).is_partial());
  CHECK(counted("", "{}", limits::kReviewedNamespaces + 1).is_partial());
  CHECK(counted(R"("continue":"t")", "{}").is_partial());
}

TEST_CASE("the report says of which children and objects only a sample was examined") {
  SeaWorld world;
  world.flags.watch_namespaces = {"a"};
  world.client.replies.emplace("get /api/v1/namespaces/a", std::string("{}"));
  const std::string boats = "list /apis/sea.example.com/v1/namespaces/a/boats";
  const std::string children = "list /apis/apps/v1/namespaces/a/deployments";
  for (const auto& list : {boats, children}) world.client.replies.insert_or_assign(list, list_json("{},{}"));
  auto findings = world.examine().findings;
  CHECK(findings.summary(Area::kWriters) == "1 kind of children");
  CHECK(findings.summary(Area::kObjects) == "2 objects were examined");

  const std::string more = R"({"metadata":{"continue":"t","remainingItemCount":7},"items":[{}]})";
  for (const auto& list : {boats, children}) world.client.replies.insert_or_assign(list, more);
  findings = world.examine().findings;
  CHECK(findings.summary(Area::kWriters) == "1 kind of children, of which 1 object was examined, 7 more were not");
  CHECK(findings.summary(Area::kObjects) == "1 object was examined, 7 more were not");
}

}  // namespace
}  // namespace keelson::doctor
