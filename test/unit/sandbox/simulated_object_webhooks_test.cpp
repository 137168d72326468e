// Webhooks for objects of any kind in a simulated cluster: the API server calls them by their registrations.
#include <catch2/catch_test_macros.hpp>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/detail/sandbox/replicas.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/sandbox/shop.hpp"

namespace keelson::sandbox {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Namespace;
using core::v1::Pod;
using webhook::Decision;
using webhook::Operation;
using Decided = asio::awaitable<Decision>;

const kube::Resource kNamespaces = kube::resource_of<Namespace>();
const kube::Key kWeb("default", "web");
constexpr const char* kPodYaml =
    "metadata: {name: web, labels: {app: web}}\nspec: {containers: [{name: web, image: 'web:1'}]}\n";

Decided add_sidecar(Pod& pod, const webhook::Request&) {
  core::v1::Container proxy;
  proxy.name = "proxy";
  proxy.image = "proxy:1";
  pod.spec.containers.push_back(proxy);
  pod.metadata.annotations["mesh"] = "injected";
  co_return Decision::allow();
}

Decided keep_namespaces(const webhook::Review<Namespace>& review) {
  if (review.object.metadata.labels.contains("disposable")) co_return Decision::allow();
  co_return Decision::deny("namespace " + review.object.metadata.name + " is not disposable");
}

// A webhook that reads the cluster.
class QuotaFromConfig {
 public:
  explicit QuotaFromConfig(controller::Context& context) : client_(context.client) {}

  Decided validate(const webhook::Review<Pod>& review) {
    auto config = co_await kube::get<ConfigMap>(client_, {review.object.metadata.ns, "quota"});
    if (!config) co_return config.error();
    if (config->data["pods"] == "0") co_return Decision::deny("no pods here");
    co_return Decision::allow();
  }

 private:
  kube::Client& client_;
};

struct ReplicasOnly {
  std::int32_t replicas = 0;
};
void describe(kube::Description& d, ReplicasOnly& spec) { d.field("replicas", spec.replicas, ""); }

// The object of the subresource `scale`.
struct Scale {
  static constexpr kube::Identity kIdentity{"autoscaling", "v1", "Scale"};
  ReplicasOnly spec;
};
void describe(kube::Description& d, Scale& scale) { d.field("spec", scale.spec, ""); }

Decided at_most_five(const webhook::Review<Scale>& review) {
  if (review.object.spec.replicas > 5) co_return Decision::deny("more than five");
  co_return Decision::allow().warn("scaling is watched");
}

ClusterOptions options_with(std::vector<webhook::Webhook> webhooks) {
  ClusterOptions options;
  options.webhooks = std::move(webhooks);
  return options;
}

controller::Definition shop_that_waits() {
  return shop([](controller::Context&, kube::Object, Logger) -> Task<void> { co_return Result<void>(); });
}

std::size_t containers(const SimulatedCluster& cluster, const kube::Key& pod) {
  return cluster.get(kube::pods(), pod).root().at({"spec", "containers"}).size();
}

bool says(const Error& error, std::string_view what) { return error.message().find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a Pod mutator and a validator of deleted Namespaces run in a simulated cluster") {
  auto definition = shop_that_waits();
  definition.webhook(webhook::mutating<Pod>(add_sidecar, {.object_selector = "app=web"_selector}))
      .webhook(webhook::validating<Namespace>(keep_namespaces, {.operations = {Operation::kDelete}}));
  SimulatedCluster cluster(definition);
  REQUIRE(cluster.start_manager());

  REQUIRE(cluster.create(kube::pods(), "default", kPodYaml));
  REQUIRE(cluster.create(kube::pods(), "default",
                         "metadata: {name: plain}\nspec: {containers: [{name: a, image: 'a:1'}]}\n"));
  CHECK(containers(cluster, kWeb) == 2);
  CHECK(cluster.get(kube::pods(), kWeb).root().at({"metadata", "annotations", "mesh"}).string() == "injected");
  CHECK(containers(cluster, {"default", "plain"}) == 1);

  REQUIRE(cluster.create(kNamespaces, "", "metadata: {name: shop}\n"));
  REQUIRE(cluster.create(kNamespaces, "", "metadata: {name: test, labels: {disposable: 'yes'}}\n"));
  const auto kept = cluster.remove(kNamespaces, {"", "shop"});
  REQUIRE_FALSE(kept);
  CHECK(kept.error().code == 403);
  CHECK(says(kept.error(), R"(admission webhook "vnamespace-v1.kb.io" denied the request: namespace shop is not)"));
  CHECK(cluster.remove(kNamespaces, {"", "test"}));
  CHECK(cluster.problems().empty());
}

TEST_CASE("a webhook without a controller reviews the namespaces that its selector selects") {
  SimulatedCluster cluster(
      shop_that_waits(),
      options_with({webhook::mutating<Pod>(add_sidecar, {.namespace_selector = "mesh=on"_selector})}));
  REQUIRE(cluster.start_manager());
  REQUIRE(cluster.create(kNamespaces, "", "metadata: {name: mesh, labels: {mesh: 'on'}}\n"));

  for (const auto* ns : {"mesh", "default"}) REQUIRE(cluster.create(kube::pods(), ns, kPodYaml));

  CHECK(containers(cluster, {"mesh", "web"}) == 2);
  CHECK(containers(cluster, kWeb) == 1);
}

TEST_CASE("without a manager, requests of a webhook with failurePolicy Ignore succeed, and others fail") {
  SimulatedCluster cluster(
      shop_that_waits(),
      options_with({webhook::mutating<Pod>(add_sidecar, {.failure_policy = webhook::FailurePolicy::kIgnore}),
                    webhook::validating<Namespace>(keep_namespaces, {.operations = {Operation::kDelete}})}));

  CHECK(cluster.create(kube::pods(), "default", kPodYaml));
  CHECK(containers(cluster, kWeb) == 1);
  CHECK(cluster.create(kNamespaces, "", "metadata: {name: shop}\n"));
  CHECK_FALSE(cluster.remove(kNamespaces, {"", "shop"}));
}

TEST_CASE("the API server waits for a webhook for the timeout of its registration") {
  struct Sleeper {
    explicit Sleeper(controller::Context& context) : clock(context.clock) {}
    Decided validate(const webhook::Review<Pod>&) {
      co_await async::sleep_for(clock, 3s);
      co_return Decision::allow();
    }
    async::Clock& clock;
  };
  for (const auto timeout : {2s, 4s}) {
    SimulatedCluster cluster(shop_that_waits(),
                             options_with({webhook::validating<Pod, Sleeper>({.timeout = timeout})}));
    REQUIRE(cluster.start_manager());
    CHECK(cluster.create(kube::pods(), "default", kPodYaml).has_value() == (timeout == 4s));
  }
}

TEST_CASE("two webhooks of one kind are both called, and one that is a class reads the cluster") {
  auto definition = shop_that_waits();
  definition.rbac({"", "configmaps", {"get"}});
  definition.webhook(webhook::validating<Pod, QuotaFromConfig>({.name = "quota"}))
      .webhook(webhook::validating<Pod>(
          [](const webhook::Review<Pod>& review) -> Decided {
            if (review.object.metadata.labels.contains("app")) co_return Decision::allow();
            co_return Decision::deny("a label app is missing");
          },
          {.name = "labels"}));
  SimulatedCluster cluster(definition);
  REQUIRE(cluster.start_manager());

  CHECK(says(cluster.create(kube::pods(), "default", kPodYaml).error(), "quota.vpod-v1.kb.io"));
  REQUIRE(cluster.create(kube::config_maps(), "default", "metadata: {name: quota}\ndata: {pods: '3'}\n"));
  CHECK(cluster.create(kube::pods(), "default", kPodYaml));
  CHECK(says(
      cluster.create(kube::pods(), "default", "metadata: {name: bare}\nspec: {containers: [{name: a, image: 'a:1'}]}\n")
          .error(),
      "a label app is missing"));
}

TEST_CASE("a webhook of a subresource only reviews requests to it, with the object of its own kind") {
  SimulatedCluster cluster(shop_that_waits(),
                           options_with({webhook::validating<Scale>(at_most_five, {.operations = {Operation::kUpdate},
                                                                                   .subresources = {"scale"},
                                                                                   .resource = kube::deployments()})}));
  REQUIRE(cluster.start_manager());
  REQUIRE(cluster.create(kube::deployments(), "default",
                         "metadata: {name: web}\nspec: {replicas: 7, selector: {matchLabels: {app: web}}, template: "
                         "{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1'}]}}}\n"));
  const auto scale_to = [&](int replicas) {
    const auto spec = R"({"spec":{"replicas":)" + std::to_string(replicas) + "}}";
    return testing::result_of(cluster.loop, kube::patch(cluster.server.client("user"), kube::deployments(), kWeb,
                                                        kube::PatchType::kMerge, spec, "scale"));
  };

  const auto denied = scale_to(6);
  REQUIRE_FALSE(denied);
  CHECK(says(denied.error(), "more than five"));
  CHECK(scale_to(5));
}

TEST_CASE("a webhook that renames an object is a problem of the operator") {
  ClusterOptions options;
  options.print = [](const std::string&) {};
  options.webhooks = {webhook::mutating<Pod>([](Pod& pod, const webhook::Request&) -> Decided {
    pod.metadata.name = "other";
    co_return Decision::allow();
  })};
  SimulatedCluster cluster(shop_that_waits(), options);
  REQUIRE(cluster.start_manager());

  CHECK_FALSE(cluster.create(kube::pods(), "default", kPodYaml));

  REQUIRE(cluster.problems().size() == 1);
  CHECK(cluster.problems()[0].text.find("a mutating webhook changed metadata.name") != std::string::npos);
}

TEST_CASE("replicas serve webhooks that belong to no controller") {
  ReplicasOptions options;
  options.webhooks = {webhook::mutating<Pod>(add_sidecar)};
  Replicas replicas({shop_that_waits()}, options);
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));

  const auto made = replicas.create(kube::pods(), "default", kPodYaml);

  REQUIRE(made);
  CHECK(made->json().find("proxy:1") != std::string::npos);
}

}  // namespace keelson::sandbox
