#include "src/kinds/bluegreen/bluegreen_children.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/kinds/bluegreen/bluegreen.hpp"

namespace keelson::kinds {
namespace {

BlueGreen demo(const std::string& blue_spec = "{}") {
  BlueGreen demo;
  demo.metadata = {.name = "demo", .ns = "shop"};
  demo.spec.blue_spec = {blue_spec};
  return demo;
}

TEST_CASE("B2: the Service has the name of the BlueGreen and selects the pods of one color on port 80") {
  CHECK(kube::encode_desired(service_of(demo(), kGreen)) ==
        R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"demo"},"spec":{)"
        R"("ports":[{"name":"http","protocol":"TCP","port":80,"targetPort":80}],)"
        R"("selector":{"app.kubernetes.io/managed-by":"app.demo.kakao.com","app.kubernetes.io/name":"demo",)"
        R"("app.kubernetes.io/phase":"Green"}}})");
}

TEST_CASE(
    "B3: the name of a Deployment has no dash before its color, and its spec has no replicas and the PodSpec byte for "
    "byte") {
  const std::string pod_spec = R"({"containers":[{"name":"a","image":"b","new":1.0}],  "later":null})";

  CHECK(kube::encode_desired(deployment_of(demo(pod_spec), kBlue)) ==
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"demoblue-deployment"},)"
        R"("spec":{"selector":{"matchLabels":{"app.kubernetes.io/managed-by":"app.demo.kakao.com",)"
        R"("app.kubernetes.io/name":"demo","app.kubernetes.io/phase":"Blue"}},"template":{"metadata":{"labels":{)"
        R"("app.kubernetes.io/managed-by":"app.demo.kakao.com","app.kubernetes.io/name":"demo",)"
        R"("app.kubernetes.io/phase":"Blue"}},"spec":)" +
            pod_spec + "}}}");
}

}  // namespace
}  // namespace keelson::kinds
