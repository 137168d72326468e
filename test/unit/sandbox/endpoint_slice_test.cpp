// EndpointSlices in the server in this process: their endpoints, and the division into slices.
#include <set>

#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Web : Fleet {
  explicit Web(int replicas, const std::string& service = R"("ports":[{"name":"http","port":80,"targetPort":"web"}])") {
    create(kube::services(),
           R"({"metadata":{"name":"web","labels":{"team":"a"}},"spec":{"selector":{"app":"web"},)" + service + "}}");
    create(
        kube::deployments(),
        R"({"metadata":{"name":"web"},"spec":{"replicas":)" + std::to_string(replicas) +
            R"(,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},)"
            R"("spec":{"containers":[{"name":"c","image":"i:1","ports":[{"name":"web","containerPort":8080}]}]}}}})");
    pass(seconds(2));
  }
  // The number of endpoints in each slice.
  std::vector<std::size_t> sizes() {
    std::vector<std::size_t> found;
    for (const auto& slice : server.objects(kube::endpoint_slices())) {
      auto document = json::Document::parse(slice.json());
      found.push_back(document->root().find("endpoints").size());
    }
    std::ranges::sort(found);
    return found;
  }
  std::string slice(std::initializer_list<std::string_view> path) {
    return value(kube::endpoint_slices(), names(kube::endpoint_slices()), path);
  }
};

TEST_CASE("the slice of a Service lists its pods with their ports") {
  Web web(1);
  auto name = web.names(kube::pods());

  CHECK(
      web.slice({"metadata", "labels"}) ==
      R"({"team":"a","endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io","kubernetes.io/service-name":"web"})");
  CHECK(web.slice({"addressType"}) == "IPv4");
  CHECK(web.slice({"ports"}) == R"([{"name":"http","port":8080,"protocol":"TCP"}])");
  auto address = web.value(kube::pods(), name, {"status", "podIP"});
  auto uid = web.value(kube::pods(), name, {"metadata", "uid"});
  CHECK(web.slice({"endpoints"}) ==
        R"([{"addresses":[")" + address +
            R"("],"conditions":{"ready":true,"serving":true,"terminating":false},"targetRef":{"kind":"Pod",)"
            R"("namespace":"default","name":")" +
            name + R"(","uid":")" + uid + R"("},"nodeName":"node-1"}])");
}

TEST_CASE("a pod that is not ready is listed as such") {
  Web web(1);

  auto status = R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})";
  REQUIRE(web.ask(kube::patch(web.client(), kube::pods(), {"default", web.names(kube::pods())}, kube::PatchType::kMerge,
                              status, "status")));
  web.pass(seconds(1));

  CHECK(web.slice({"endpoints"}).find(R"({"ready":false,"serving":false,"terminating":false})") != std::string::npos);
}

TEST_CASE("a Service without pods has one slice without endpoints") {
  Web web(0);

  CHECK(web.sizes() == std::vector<std::size_t>{0});
  web.patch(kube::deployments(), "web", R"({"spec":{"replicas":2}})");
  web.pass(seconds(2));
  CHECK(web.sizes() == std::vector<std::size_t>{2});
  web.patch(kube::deployments(), "web", R"({"spec":{"replicas":0}})");
  web.pass(seconds(2));
  CHECK(web.sizes() == std::vector<std::size_t>{0});
}

TEST_CASE("a slice has at most 100 endpoints") {
  Web web(230);

  CHECK(web.sizes() == std::vector<std::size_t>{30, 100, 100});
}

TEST_CASE("slices are deleted with their Service, and a Service without a selector has none") {
  Web web(1);
  web.create(kube::services(), R"({"metadata":{"name":"bare"},"spec":{"ports":[{"port":80}]}})");
  web.pass(seconds(1));
  CHECK(web.count(kube::endpoint_slices()) == 1);

  web.remove(kube::services(), "web");
  web.pass(seconds(1));

  CHECK(web.count(kube::endpoint_slices()) == 0);
}

TEST_CASE("a pod that loses the label of a Service is removed from its slice") {
  Web web(1);
  auto pod = web.names(kube::pods());

  web.patch(kube::pods(), pod, R"({"metadata":{"labels":{"app":"debug"},"ownerReferences":null}})");
  web.pass(seconds(1));

  CHECK(web.slice({"endpoints"}).find(pod) == std::string::npos);
}

TEST_CASE("a slice without ports belongs to a Service without ports") {
  Web web(1, R"("clusterIP":"None","ports":[{"name":"http","port":80,"targetPort":"nowhere"}])");
  auto slice = web.names(kube::endpoint_slices());

  web.patch(kube::endpoint_slices(), slice, R"({"ports":null})");
  web.patch(kube::deployments(), "web", R"({"spec":{"replicas":2}})");
  web.pass(seconds(2));

  CHECK(web.sizes() == std::vector<std::size_t>{2});
}

TEST_CASE("Endpoints that lost their labels get them again") {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  Fleet fleet(options);
  fleet.create(kube::endpoints(), R"({"metadata":{"name":"web"}})");

  fleet.create(kube::services(), R"({"metadata":{"name":"web"},"spec":{"selector":{"a":"b"},"ports":[{"port":80}]}})");
  fleet.pass(seconds(2));

  auto labels = R"({"endpoints.kubernetes.io/managed-by":"endpoint-controller"})";
  CHECK(fleet.value(kube::endpoints(), "web", {"metadata", "labels"}) == labels);
  fleet.patch(kube::endpoints(), "web", R"({"metadata":{"labels":null}})");
  fleet.patch(kube::services(), "web", R"({"metadata":{"annotations":{"x":"y"}}})");
  fleet.pass(seconds(2));
  CHECK(fleet.value(kube::endpoints(), "web", {"metadata", "labels"}) == labels);
}

}  // namespace
}  // namespace keelson::sandbox
