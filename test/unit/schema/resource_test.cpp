#include "keelson/schema/identity.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/percent_encoding.hpp"

namespace keelson::kube {
namespace {

TEST_CASE("a resource's path has the parts that are not empty") {
  struct Row {
    Resource resource;
    const char* ns;
    const char* name;
    const char* subresource;
    const char* path;
  };
  const Row rows[] = {
      {pods(), "default", "a", "", "/api/v1/namespaces/default/pods/a"},
      {pods(), "default", "", "", "/api/v1/namespaces/default/pods"},
      {pods(), "", "", "", "/api/v1/pods"},
      {deployments(), "x", "web", "scale", "/apis/apps/v1/namespaces/x/deployments/web/scale"},
      {deployments(), "x", "web", "", "/apis/apps/v1/namespaces/x/deployments/web"},
      {custom_resource_definitions(), "", "a.b", "status",
       "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a.b/status"},
      // A namespace that was given by mistake does not make a cluster-scoped object namespaced.
      {custom_resource_definitions(), "default", "", "", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"},
      {{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false},
       "",
       "system:node",
       "",
       "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node"},
      {pods(), "a/b", "../c?d#e %", "", "/api/v1/namespaces/a%2Fb/pods/..%2Fc%3Fd%23e%20%25"},
  };

  for (const auto& row : rows) {
    INFO(row.path);
    CHECK(row.resource.path(row.ns, row.name, row.subresource) == row.path);
  }
}

TEST_CASE("a resource has the names of manifests and RBAC") {
  CHECK(pods().api_version() == "v1");
  CHECK(pods().qualified_plural() == "pods");
  CHECK(events().api_version() == "events.k8s.io/v1");
  CHECK(leases().qualified_plural() == "leases.coordination.k8s.io");
  CHECK(core_events().path("a", "", "") == "/api/v1/namespaces/a/events");
}

TEST_CASE("query values are encoded, so that they cannot end a parameter") {
  CHECK(base::encode_query({}).empty());
  CHECK(base::encode_query({{"labelSelector", "app=web,tier in (a,b),!old"}}) ==
        "labelSelector=app%3Dweb%2Ctier+in+%28a%2Cb%29%2C%21old");
  CHECK(base::encode_query({{"continue", "ey/J+=&x"}, {"limit", "500"}}) == "continue=ey%2FJ%2B%3D%26x&limit=500");
  CHECK(base::encode_query({{"fieldSelector", "metadata.name=\xc3\xa4"}}) == "fieldSelector=metadata.name%3D%C3%A4");
}

}  // namespace
}  // namespace keelson::kube
