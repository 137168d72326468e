// Deployments in the server in this process, in virtual time.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "keelson/json/value.hpp"
#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/storage/tree.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using kube::Key;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Key kWeb("default", "web");

std::string deployment(int replicas, const std::string& strategy = "") {
  return R"({"metadata":{"name":"web"},"spec":{"replicas":)" + std::to_string(replicas) + strategy +
         R"(,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},)"
         R"("spec":{"containers":[{"name":"c","image":"i:1"}]}}}})";
}

struct DeploymentCluster : Talk {
  explicit DeploymentCluster(const std::string& body, std::uint64_t seed = 1) : Talk({}, seed) {
    REQUIRE(ask(kube::create(client(), kube::deployments(), "default", body)));
  }
  void patch(const std::string& body) {
    REQUIRE(ask(kube::patch(client(), kube::deployments(), kWeb, kube::PatchType::kMerge, body)));
  }
  void set_image(const std::string& image) {
    patch(R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":")" + image + "\"}]}}}}");
  }
  // The pods that are not being deleted, and the running ones with an image.
  [[nodiscard]] std::int64_t pods(const std::string& image = "", bool running = false) {
    auto all = server.objects(kube::pods());
    return std::ranges::count_if(all, [&](const kube::Object& pod) {
      auto document = json::Document::parse(pod.json());
      auto container = document->root().at({"spec", "containers"}).item(0);
      bool fits = image.empty() || container.find("image").string() == std::string_view(image);
      bool runs = document->root().at({"status", "phase"}).string() == std::string_view("Running");
      return !pod.deleting() && fits && (runs || !running);
    });
  }
  [[nodiscard]] std::int64_t status(std::string_view field) {
    auto found = ask(kube::get(client(), kube::deployments(), kWeb));
    auto document = json::Document::parse(found->json());
    return document->root().at({"status", field}).integer().value_or(0);
  }
};

TEST_CASE("the pods of a Deployment run after a delay, and its status counts them") {
  DeploymentCluster cluster(deployment(3));

  cluster.pass(milliseconds(200));
  CHECK(cluster.pods() == 3);
  CHECK(cluster.status("readyReplicas") == 0);
  CHECK(cluster.status("unavailableReplicas") == 3);
  cluster.pass(seconds(2));
  CHECK(cluster.status("readyReplicas") == 3);
  CHECK(cluster.status("availableReplicas") == 3);
  CHECK(cluster.status("unavailableReplicas") == 0);
  CHECK(cluster.status("observedGeneration") == 1);
}

TEST_CASE("a deleted pod is replaced") {
  DeploymentCluster cluster(deployment(2));
  cluster.pass(seconds(2));
  auto victim = cluster.server.objects(kube::pods()).front();

  REQUIRE(cluster.ask(kube::remove(cluster.client(), kube::pods(), victim.key(), {})));
  cluster.pass(seconds(2));

  auto pods = cluster.server.objects(kube::pods());
  CHECK(pods.size() == 2);
  CHECK(std::ranges::none_of(pods, [&](const kube::Object& pod) { return pod.uid() == victim.uid(); }));
}

TEST_CASE("a rolling update respects maxUnavailable and maxSurge") {
  DeploymentCluster cluster(deployment(8));
  cluster.pass(seconds(2));
  cluster.set_image("i:2");
  std::int64_t fewest = 8;
  std::int64_t most = 8;

  for (int step = 0; step < 1000; ++step) {
    cluster.pass(milliseconds(5));
    fewest = std::min(fewest, cluster.pods("", true));
    most = std::max(most, cluster.pods());
  }

  CHECK(cluster.pods("i:2", true) == 8);
  CHECK(cluster.pods("i:1") == 0);
  CHECK(fewest == 6);  // maxUnavailable 25 %
  CHECK(most == 10);   // maxSurge 25 %
}

TEST_CASE("a restored template has the newest revision, and a paused Deployment does not roll out") {
  DeploymentCluster cluster(deployment(1));
  auto revision = [&cluster] {
    auto found = cluster.ask(kube::get(cluster.client(), kube::deployments(), kWeb));
    return found->annotation("deployment.kubernetes.io/revision").value_or("");
  };
  cluster.pass(seconds(2));
  CHECK(revision() == "1");
  cluster.set_image("i:2");
  cluster.pass(seconds(2));
  cluster.set_image("i:1");
  cluster.pass(seconds(2));
  CHECK(revision() == "3");
  CHECK(cluster.server.objects(kube::replica_sets()).size() == 2);

  cluster.patch(R"({"spec":{"paused":true}})");
  cluster.set_image("i:3");
  cluster.pass(seconds(2));
  CHECK(cluster.server.objects(kube::replica_sets()).size() == 2);
  cluster.patch(R"({"spec":{"paused":false}})");
  cluster.pass(seconds(2));
  CHECK(cluster.pods("i:3", true) == 1);
}

TEST_CASE("a revision with text after its number counts as none") {
  DeploymentCluster cluster(deployment(1));
  cluster.pass(seconds(2));
  const auto replica_set = cluster.server.objects(kube::replica_sets()).front().key();
  REQUIRE(cluster.ask(kube::patch(cluster.client(), kube::replica_sets(), replica_set, kube::PatchType::kMerge,
                                  R"({"metadata":{"annotations":{"deployment.kubernetes.io/revision":"7 of 9"}}})")));
  cluster.pass(seconds(2));

  auto found = cluster.ask(kube::get(cluster.client(), kube::deployments(), kWeb));
  CHECK(found->annotation("deployment.kubernetes.io/revision") == "1");
}

TEST_CASE("a share of replicas is a number or a percentage, and any other text is 0") {
  struct Row {
    Tree value;
    std::int64_t rounded_up;
    std::int64_t rounded_down;
  };
  const Row rows[] = {{Tree(3), 3, 3},      {Tree("25%"), 3, 2},  {Tree("100%"), 10, 10}, {Tree("200%"), 20, 20},
                      {Tree("25%x"), 0, 0}, {Tree("25 %"), 0, 0}, {Tree("2x"), 0, 0},     {Tree("x"), 0, 0},
                      {Tree("-50%"), 0, 0}, {Tree("%"), 0, 0},    {Tree(""), 0, 0}};

  CHECK(share_of(nullptr, 10, true) == 0);
  for (const auto& [value, rounded_up, rounded_down] : rows) {
    INFO(value.text());
    CHECK(share_of(&value, 10, true) == rounded_up);
    CHECK(share_of(&value, 10, false) == rounded_down);
  }
}

TEST_CASE("Recreate starts the new pods after the old ones are deleted") {
  DeploymentCluster cluster(deployment(2, R"(,"strategy":{"type":"Recreate"})"));
  cluster.pass(seconds(2));
  cluster.set_image("i:2");

  for (int step = 0; step < 400; ++step) {
    cluster.pass(milliseconds(5));
    CHECK((cluster.pods("i:1") == 0 || cluster.pods("i:2") == 0));
  }

  CHECK(cluster.pods("i:2", true) == 2);
}

TEST_CASE("a failing image blocks the rollout, and a rollback ends it") {
  DeploymentCluster cluster(deployment(4));
  cluster.pass(seconds(2));
  cluster.server.image_works([](const std::string& image) { return image != "i:bad"; });
  cluster.set_image("i:bad");
  cluster.pass(seconds(30));

  CHECK(cluster.pods("i:1", true) == 3);
  CHECK(cluster.pods("i:bad", true) == 0);
  cluster.set_image("i:1");
  cluster.pass(seconds(5));
  CHECK(cluster.pods("i:1", true) == 4);
  CHECK(cluster.pods("i:bad") == 0);
}

TEST_CASE("pods run when their image works again") {
  DeploymentCluster cluster(deployment(1));
  cluster.server.image_works([](const std::string&) { return false; });
  cluster.pass(seconds(5));
  CHECK(cluster.pods("i:1", true) == 0);

  cluster.server.image_works({});
  cluster.pass(seconds(5));

  CHECK(cluster.pods("i:1", true) == 1);
}

TEST_CASE("deleting a Deployment deletes its ReplicaSets and pods") {
  DeploymentCluster cluster(deployment(3));
  cluster.pass(seconds(2));
  cluster.set_image("i:2");
  cluster.pass(seconds(5));
  CHECK(cluster.server.objects(kube::replica_sets()).size() == 2);

  REQUIRE(cluster.ask(kube::remove(cluster.client(), kube::deployments(), kWeb, {})));
  cluster.pass(seconds(5));

  CHECK(cluster.server.objects(kube::replica_sets()).empty());
  CHECK(cluster.server.objects(kube::pods()).empty());
}

TEST_CASE("a ReplicaSet creates at most 500 pods at a time") {
  DeploymentCluster cluster(deployment(1200));

  std::int64_t most = 0;
  for (std::int64_t before = 0; before < 1200; before = cluster.pods()) {
    cluster.pass(milliseconds(1));
    most = std::max(most, cluster.pods() - before);
  }

  CHECK(most == 500);
}

TEST_CASE("a quiet cluster makes no changes") {
  DeploymentCluster cluster(deployment(3));
  cluster.pass(seconds(5));
  auto version = cluster.server.resource_version();

  cluster.pass(std::chrono::hours(1));

  CHECK(cluster.server.resource_version() == version);
}

TEST_CASE("without controllers a Deployment does not change") {
  ApiServerOptions options;
  options.has_controllers = false;
  Talk talk(options);
  REQUIRE(talk.ask(kube::create(talk.client(), kube::deployments(), "default", deployment(3))));

  talk.pass(seconds(5));

  CHECK(talk.server.objects(kube::replica_sets()).empty());
}

TEST_CASE("a Deployment is available after its pods have been ready for minReadySeconds") {
  DeploymentCluster cluster(deployment(2, R"(,"minReadySeconds":10)"));
  auto count = [&cluster](const char* name) {
    auto found = cluster.ask(kube::get(cluster.client(), kube::deployments(), kWeb));
    REQUIRE(found);
    return Tree::parse(found->json())->integer_at({"status", name});
  };

  cluster.pass(seconds(5));
  CHECK(count("readyReplicas") == 2);
  CHECK(count("availableReplicas") == 0);
  CHECK(count("unavailableReplicas") == 2);

  cluster.pass(seconds(10));
  CHECK(count("availableReplicas") == 2);
}

TEST_CASE("a rollout that is replaced by another one keeps the pods that are available") {
  const char* second = GENERATE("i:2", "i:3", "i:4", "i:5");
  CAPTURE(second);
  DeploymentCluster cluster(
      deployment(1, R"(,"minReadySeconds":10,"strategy":{"rollingUpdate":{"maxUnavailable":0}})"));
  cluster.pass(seconds(15));
  REQUIRE(cluster.status("availableReplicas") == 1);
  cluster.set_image(second);
  cluster.pass(seconds(2));
  REQUIRE(cluster.pods() == 2);

  cluster.set_image("i:9");
  std::int64_t fewest = 1;
  for (int step = 0; step < 200; ++step) {
    cluster.pass(milliseconds(100));
    fewest = std::min(fewest, cluster.status("availableReplicas"));
  }

  CHECK(fewest == 1);
  CHECK(cluster.pods("i:9", true) == 1);
  CHECK(cluster.pods() == 1);
}

}  // namespace
}  // namespace keelson::sandbox
