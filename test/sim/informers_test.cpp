// The content of informers, as an author declares it: a selection by fields, metadata only, the fields of a struct.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Secret;

struct AgentSpec {
  std::string node;
};
void describe(kube::Description& d, AgentSpec& spec) { d.field("node", spec.node, "A node.").required(); }

struct Agent : CustomResource<AgentSpec> {
  static constexpr kube::Identity kIdentity{"agent.example.com", "v1", "Agent"};
};

// The fields of a Pod that the Agent reports.
struct PodPlace {
  std::string node_name;
};
void describe(kube::Description& d, PodPlace& spec) { d.field("nodeName", spec.node_name, ""); }
struct PodOnNode {
  static constexpr kube::Identity kIdentity{"", "v1", "Pod"};
  static constexpr bool kIsPartial = true;
  meta::v1::ObjectMeta metadata;
  PodPlace spec;
};
void describe(kube::Description& d, PodOnNode& pod) {
  d.field("metadata", pod.metadata, "");
  d.field("spec", pod.spec, "");
}

const kube::Key kAgent("default", "agent");

// The ConfigMap has the names of the cached Pods and Secrets.
class Reporter {
 public:
  explicit Reporter(controller::Context& context) : context_(context) {}

  Reconciled reconcile(const Agent& agent, Pass<Agent>& pass) {
    KEELSON_CO_LET(const auto pods, cache::list<PodOnNode>(context_.informer(kube::pods()), agent.ns()));
    KEELSON_CO_LET(const auto secrets, cache::list<Secret>(context_.informer(kube::secrets()), agent.ns()));
    std::set<std::string> names;
    for (const auto& pod : pods) names.insert("pod " + pod.metadata.name + " on " + pod.spec.node_name);
    for (const auto& secret : secrets) {
      names.insert("secret " + secret.metadata.name + " " + std::to_string(secret.data.size()) + " " + secret.type +
                   secret.metadata.labels.at("agent"));
    }
    std::string text;
    for (const auto& name : names) text += name + "; ";
    ConfigMap report{.metadata = {.name = agent.name()}, .data = {{"report", text}}};
    KEELSON_CO_TRY(co_await pass.apply(report));
    co_return done();
  }

 private:
  controller::Context& context_;
};

std::vector<kube::Key> to_agent(const kube::Object&, cache::Cache&) { return {kAgent}; }

controller::Definition agent() {
  return controller_for<Agent, Reporter>()
      .owns<ConfigMap>()
      .watches<PodOnNode>(to_agent, {.fields = "spec.nodeName=node-1,status.phase!=Failed"_fields})
      .watches<Secret>(to_agent, {.labels = "agent"_selector, .content = cache::OnlyMetadata{}});
}

struct AgentCluster : sandbox::SimulatedCluster {
  AgentCluster() : SimulatedCluster(agent()) {
    REQUIRE(start_manager());
    REQUIRE(create(kube::resource_of<Agent>(), "default",
                   "apiVersion: agent.example.com/v1\nkind: Agent\nmetadata: {name: agent}\nspec: {node: node-1}\n"));
  }
  void add_pod(const std::string& name, const std::string& node) {
    REQUIRE(create(kube::pods(), "default",
                   R"({"metadata":{"name":")" + name + R"("},"spec":{"nodeName":")" + node +
                       R"(","containers":[{"name":"c","image":"i"}]}})"));
  }
  bool reports(std::string_view text) {
    return eventually([&] {
      const auto report = get(kube::config_maps(), kAgent);
      return report.root().at({"data", "report"}).string() == text;
    });
  }
};

TEST_CASE("a controller reads the Pods that its field selector selects, until they no longer match") {
  AgentCluster world;
  world.add_pod("here", "node-1");
  world.add_pod("there", "node-2");
  world.add_pod("failing", "node-1");
  CHECK(world.reports("pod failing on node-1; pod here on node-1; "));

  world.loop.run([&]() -> boost::asio::awaitable<void> {
    const auto failed = co_await kube::patch(world.server.client("kubelet"), kube::pods(), {"default", "failing"},
                                             kube::PatchType::kMerge, R"({"status":{"phase":"Failed"}})", "status");
    CHECK(failed);
  });

  CHECK(world.reports("pod here on node-1; "));
  REQUIRE(world.remove(kube::pods(), {"default", "here"}));
  CHECK(world.reports(""));
}

TEST_CASE("a controller reads the metadata of Secrets, and none of their data") {
  AgentCluster world;
  const auto secret = [](const std::string& label) {
    return R"({"metadata":{"name":"password","labels":{"agent":")" + label +
           R"("}},"type":"example.com/own","data":{"password":"c2VjcmV0"}})";
  };
  REQUIRE(world.create(kube::secrets(), "default", secret("a")));
  CHECK(world.reports("secret password 0 a; "));

  REQUIRE(world.patch(kube::secrets(), {"default", "password"}, R"({"metadata":{"labels":{"agent":"b"}}})"));
  CHECK(world.reports("secret password 0 b; "));

  world.server.drop_watches();
  world.crash_manager();
  REQUIRE(world.start_manager());
  REQUIRE(world.remove(kube::secrets(), {"default", "password"}));
  CHECK(world.reports(""));
}

}  // namespace
}  // namespace keelson
