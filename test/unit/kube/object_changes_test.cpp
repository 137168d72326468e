#include "keelson/detail/kube/object_changes.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

std::vector<std::string> texts(const Resource& resource, std::string_view before, std::string_view after) {
  const auto old = Object::from_json(before);
  const auto next = Object::from_json(after);
  REQUIRE((old && next));
  std::vector<std::string> all;
  for (const auto& change : object_changes(resource, *old, *next)) all.push_back(change.text());
  return all;
}

using Texts = std::vector<std::string>;

TEST_CASE("a change as text has a mark, the place and the values") {
  CHECK(
      texts(deployments(),
            R"({"metadata":{"name":"a","labels":{"x":"1"}},"spec":{"replicas":1,"c":[{"name":"web","image":"a"}]}})",
            R"({"metadata":{"name":"a","labels":{"y":"2"}},"spec":{"replicas":1,"c":[{"name":"web","image":"b"}]}})") ==
      Texts{R"(- metadata.labels.x: "1")", R"(+ metadata.labels.y: "2")", R"(~ spec.c[web].image: "a" -> "b")"});
}

TEST_CASE("the metadata of the API server, and the type that objects of lists lack, are no changes") {
  CHECK(texts(config_maps(), R"({"metadata":{"name":"a","resourceVersion":"1","generation":1},"data":{}})",
              R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u","resourceVersion":"2",)"
              R"("generation":2,"creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[{}]},"data":{}})")
            .empty());
}

TEST_CASE("values of Secrets are masked, and other fields of Secrets are not") {
  CHECK(texts(secrets(), R"({"metadata":{"name":"a"},"data":{"p":"b2xk"},"type":"Opaque"})",
              R"({"metadata":{"name":"a"},"data":{"p":"bmV3"},"type":"x"})") ==
        Texts{R"x(~ data.p: "*** (before)" -> "*** (after)")x", R"(~ type: "Opaque" -> "x")"});
  const auto added =
      texts(secrets(), R"({"metadata":{"name":"a"}})", R"({"metadata":{"name":"a"},"stringData":{"q":"bmV3"}})");
  CHECK(added == Texts{R"x(+ stringData: "*** (after)")x"});
  const auto secret = Object::from_json(R"({"kind":"Secret","metadata":{"name":"a","uid":"u"},"data":{"p":"b2xk"}})");
  CHECK(shown_object(secrets(), *secret) == R"({"kind":"Secret","metadata":{"name":"a"},"data":{"p":"***"}})");
}

}  // namespace
}  // namespace keelson::kube
