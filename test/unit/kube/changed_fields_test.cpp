#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/kube/object_changes.hpp"

namespace keelson::kube {

namespace {

using Paths = std::vector<std::string>;

Paths changed(const char* before, const char* after, std::size_t limit = 10) {
  const auto object = [](const char* json) {
    auto made = Object::from_json(json);
    REQUIRE(made.has_value());
    return *made;
  };
  return changed_fields(object(before), object(after), limit);
}

}  // namespace

TEST_CASE("changed fields are named by their paths, without values") {
  CHECK(changed(R"({"metadata":{"name":"a"},"spec":{"replicas":1,"paused":true}})",
                R"({"metadata":{"name":"a"},"spec":{"replicas":2,"minReadySeconds":5}})") ==
        Paths{"spec.replicas", "spec.minReadySeconds", "spec.paused"});
  CHECK(changed(R"({"spec":{"containers":[{"name":"web","image":"a"},{"name":"log","image":"b"}]}})",
                R"({"spec":{"containers":[{"name":"web","image":"c"},{"name":"log","image":"b"}]}})") ==
        Paths{"spec.containers[web].image"});
  CHECK(changed(R"({"spec":{"args":["a","b"]}})", R"({"spec":{"args":["a"]}})") == Paths{"spec.args"});
  CHECK(changed(R"({"metadata":{"annotations":{"a.b/c":"1"}}})", R"({"metadata":{"annotations":{"a.b/c":"2"}}})") ==
        Paths{R"(metadata.annotations["a.b/c"])"});
}

TEST_CASE("a changed value of a Secret is named only") {
  CHECK(changed(R"({"kind":"Secret","data":{"password":"b2xk"}})", R"({"kind":"Secret","data":{"password":"bmV3"}})") ==
        Paths{"data.password"});
}

TEST_CASE("a condition is one field") {
  CHECK(changed(R"({"status":{"conditions":[{"type":"Ready","status":"False","message":"a"}]}})",
                R"({"status":{"conditions":[{"type":"Ready","status":"True","message":"b"}]}})") ==
        Paths{"status.conditions[Ready]"});
}

TEST_CASE("metadata of the API server is no change") {
  CHECK(changed(R"({"metadata":{"name":"a","resourceVersion":"1","generation":1}})",
                R"({"kind":"Pod","metadata":{"name":"a","resourceVersion":"2","generation":2}})")
            .empty());
}

TEST_CASE("changed fields are limited") {
  CHECK(changed(R"({"spec":{"a":1,"b":1,"c":1}})", R"({"spec":{"a":2,"b":2,"c":2}})", 2) == Paths{"spec.a", "spec.b"});
}

}  // namespace keelson::kube
