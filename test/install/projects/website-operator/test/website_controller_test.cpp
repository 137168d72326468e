// The operator with Websites, in a cluster that is simulated in this process: no API server, no waiting.
#include <catch2/catch_test_macros.hpp>

#include "controllers.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "operator_name.hpp"
#include "website/website_types.hpp"

using namespace keelson;

namespace {

const auto kWebsites = kube::resource_of<website::Website>();
const kube::Key kHello("default", "hello");

std::string sample() { return controller::kind_of<website::Website>().sample; }

struct Cluster : sandbox::SimulatedCluster {
  Cluster() : SimulatedCluster(controllers(), {.operator_name = kube::OperatorName(kOperatorName)}) {}

  void begin() {
    REQUIRE(start_manager());
    REQUIRE(create(kWebsites, "default", sample()));
  }
  std::string text(const kube::Resource& resource, const kube::Key& key,
                   std::initializer_list<std::string_view> path) const {
    auto object = get(resource, key);
    return object.root().at(path).text();
  }
  bool is_ready() const {
    auto website = get(kWebsites, kHello);
    auto status = website.root().find("status");
    for (auto condition : status.find("conditions").items()) {
      const bool is_current =
          status.find("observedGeneration").integer() == website.root().at({"metadata", "generation"}).integer();
      if (condition.find("type").string() == "Ready") return is_current && condition.find("status").string() == "True";
    }
    return false;
  }
  bool is_gone(const kube::Resource& resource, const kube::Key& key) const {
    return get(resource, key).root().is_null();
  }
};

}  // namespace

TEST_CASE("a Website is served, and its status has the URL") {
  Cluster cluster;
  cluster.begin();

  REQUIRE(cluster.eventually([&] { return cluster.is_ready(); }));

  CHECK(cluster.text(kube::deployments(), kHello, {"spec", "replicas"}) == "2");
  CHECK(cluster.text(kube::config_maps(), {"default", "hello-pages"}, {"data", "index.html"}) ==
        R"("<h1>Hello!</h1>")");
  CHECK(cluster.text(kWebsites, kHello, {"status", "url"}) == R"("http://hello.default.svc")");
  CHECK(cluster.text(kube::config_maps(), {"default", "websites"}, {"data", "hello"}) ==
        R"("http://hello.default.svc")");
}

TEST_CASE("a new page is published, and a deleted Service is created again") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(); }));

  REQUIRE(cluster.patch(kWebsites, kHello, "spec: {pages: {index.html: Bye.}}"));
  REQUIRE(cluster.remove(kube::services(), kHello));

  CHECK(cluster.eventually([&] {
    return cluster.text(kube::config_maps(), {"default", "hello-pages"}, {"data", "index.html"}) == R"("Bye.")";
  }));
  CHECK(cluster.eventually([&] { return !cluster.is_gone(kube::services(), kHello); }));
}

TEST_CASE("a deleted Website is removed from the directory, and its children are deleted") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(); }));

  REQUIRE(cluster.remove(kWebsites, kHello));

  CHECK(cluster.eventually([&] { return cluster.is_gone(kWebsites, kHello); }));
  CHECK(cluster.eventually([&] { return cluster.is_gone(kube::deployments(), kHello); }));
  CHECK(cluster.text(kube::config_maps(), {"default", "websites"}, {"data"}) == "null");
}

TEST_CASE("a Service that is not owned is left alone until it is gone") {
  Cluster cluster;
  REQUIRE(cluster.create(kube::services(), "default",
                         "{apiVersion: v1, kind: Service, metadata: {name: hello}, spec: {ports: [{port: 1}]}}"));
  cluster.begin();
  auto stalled = [&] {
    return cluster.text(kWebsites, kHello, {"status", "conditions"}).find("NotOwned") != std::string::npos;
  };
  REQUIRE(cluster.eventually(stalled));
  cluster.pass(std::chrono::minutes(10));
  CHECK(cluster.text(kube::services(), kHello, {"spec", "ports"}).find(R"("port":1,)") != std::string::npos);

  REQUIRE(cluster.remove(kube::services(), kHello));

  CHECK(cluster.eventually([&] { return cluster.is_ready(); }));
}

TEST_CASE("the Website is eventually served, whichever reply of the API server is lost") {
  constexpr int kWrites = 7;
  for (int lost = 1; lost <= kWrites; ++lost) {
    Cluster cluster;
    int writes = 0;
    cluster.server.before_write([&](const sandbox::RequestInfo& request) {
      const bool is_lost = request.user == "manager" && ++writes == lost;
      return is_lost ? sandbox::WriteFate::kReplyLost : sandbox::WriteFate::kProceeds;
    });
    cluster.begin();
    INFO("the reply to write number " << lost);
    CHECK(cluster.eventually([&] { return cluster.is_ready(); }));
    CHECK(writes >= lost);
  }
}

TEST_CASE("the webhooks of the running manager set defaults and reject invalid objects") {
  Cluster cluster;
  cluster.begin();

  REQUIRE(cluster.patch(kWebsites, kHello, "spec: {replicas: null}"));
  CHECK(cluster.text(kWebsites, kHello, {"spec", "replicas"}) == "1");

  auto rejected = cluster.patch(kWebsites, kHello, "spec: {pages: {index.html: null}}");
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().message().find("spec.pages[index.html]: Required value") != std::string::npos);
}
