// The Services of a pod and the pods of a Service, found by their labels.
#include "src/sandbox/storage/pod_index.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox {
namespace {

using Keys = PodIndex::Keys;

kube::Object object(const std::string& ns, const std::string& name, const std::string& rest) {
  return *kube::Object::from_json(R"({"metadata":{"namespace":")" + ns + R"(","name":")" + name +
                                  R"(","uid":"u","resourceVersion":"1")" + rest + "}");
}
kube::Object pod(const std::string& name, const std::string& labels, const std::string& ns = "default") {
  return object(ns, name, R"(,"labels":)" + labels + "}");
}
kube::Object service(const std::string& name, const std::string& selector, const std::string& ns = "default") {
  return object(ns, name, R"(},"spec":{"selector":)" + selector + "}");
}
Tree labels(std::initializer_list<std::pair<std::string, Tree>> members) { return Tree::object(members); }

struct PodsAndServices {
  PodsAndServices() {
    pods.resource = kube::pods();
    services.resource = kube::services();
  }
  ServedKind pods;
  ServedKind services;
  PodIndex index;
};

TEST_CASE_METHOD(PodsAndServices, "pods are found by their rarest label, in their namespace only") {
  index.add(pods, pod("a", R"({"app":"web","name":"a"})"));
  index.add(pods, pod("b", R"({"app":"web","name":"b"})"));
  index.add(pods, pod("a", R"({"app":"web","name":"a"})", "other"));

  CHECK(index.pods_with("default", labels({{"app", "web"}})) == Keys{{"default", "a"}, {"default", "b"}});
  CHECK(index.pods_with("default", labels({{"app", "web"}, {"name", "b"}})) == Keys{{"default", "b"}});
  CHECK(index.pods_with("default", labels({{"app", "web"}, {"name", "c"}})).empty());
  CHECK(index.pods_with("default", labels({})).empty());
}

TEST_CASE_METHOD(PodsAndServices, "a pod that is removed, or whose labels change, is no longer found by them") {
  const auto before = pod("a", R"({"app":"web"})");
  index.add(pods, before);

  index.remove(pods, before);
  index.add(pods, pod("a", R"({"app":"mail"})"));

  CHECK(index.pods_with("default", labels({{"app", "web"}})).empty());
  CHECK(index.pods_with("default", labels({{"app", "mail"}})) == Keys{{"default", "a"}});
}

TEST_CASE_METHOD(PodsAndServices, "Services with a common label are distinguished by their other labels") {
  for (const auto* name : {"a", "b", "c"}) {
    index.add(services, service(name, R"({"app":"web","name":")" + std::string(name) + "\"}"));
  }

  const auto found = index.services_of(pod("x", R"({"app":"web","name":"b"})"));

  CHECK(found.contains({"default", "b"}));
  CHECK(found.size() <= 2);  // the first Service may be under the common label
  CHECK(index.services_of(pod("x", R"({"app":"mail","name":"d"})")).empty());
}

TEST_CASE_METHOD(PodsAndServices,
                 "a Service that changes its selector or is removed is found by its current one only") {
  const auto before = service("a", R"({"app":"web"})");
  index.add(services, before);
  index.remove(services, before);
  const auto after = service("a", R"({"app":"mail"})");
  index.add(services, after);

  CHECK(index.services_of(pod("x", R"({"app":"web"})")).empty());
  CHECK(index.services_of(pod("x", R"({"app":"mail"})")) == Keys{{"default", "a"}});
  index.remove(services, after);
  CHECK(index.services_of(pod("x", R"({"app":"mail"})")).empty());
}

TEST_CASE_METHOD(PodsAndServices, "Services without a selector select no pod") {
  index.add(services, service("a", "{}"));
  index.add(services, object("default", "b", R"(},"spec":{})"));

  CHECK(index.services_of(pod("x", R"({"app":"web"})")).empty());
}

}  // namespace
}  // namespace keelson::sandbox
