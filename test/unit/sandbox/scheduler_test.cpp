#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/controllers/node_fit.hpp"
#include "src/sandbox/storage/label_selector.hpp"
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::Fleet;
using fixtures::whole_cluster;
using std::chrono::seconds;

constexpr const char* kPicky =
    R"({"metadata":{"name":"p"},"spec":{"nodeSelector":{"no":"such"},"containers":[{"name":"c","image":"i"}]}})";
constexpr const char* kNowhere =
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are "
    "available: 1 Preemption is not helpful for scheduling.";

TEST_CASE("a pod that fits on no node waits, reports it, and runs when there is a node") {
  Fleet fleet(whole_cluster());
  fleet.create(kube::pods(), kPicky);
  fleet.pass(seconds(5));

  CHECK(fleet.value(kube::pods(), "p", {"status", "phase"}) == "Pending");
  auto conditions = fleet.value(kube::pods(), "p", {"status", "conditions"});
  CHECK(conditions.find(kNowhere) != std::string::npos);
  CHECK(conditions.find(R"("reason":"Unschedulable")") != std::string::npos);
  CHECK(fleet.count(kube::Resource("", "v1", "Event", "events")) == 1);

  fleet.patch(kube::nodes(), "node-1", R"({"metadata":{"labels":{"no":"such"}}})");
  fleet.pass(seconds(5));

  CHECK(fleet.value(kube::pods(), "p", {"status", "phase"}) == "Running");
  CHECK(fleet.value(kube::pods(), "p", {"spec", "nodeName"}) == "node-1");
}

TEST_CASE("a pod is bound to a node whose taints it tolerates") {
  Fleet fleet(whole_cluster());
  fleet.patch(kube::nodes(), "node-1", R"({"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}})");
  fleet.create(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  fleet.pass(seconds(5));

  auto conditions = fleet.value(kube::pods(), "p", {"status", "conditions"});
  CHECK(conditions.find("1 node(s) had untolerated taint(s).") != std::string::npos);

  fleet.create(kube::nodes(), R"({"metadata":{"name":"node-2"}})");
  fleet.pass(seconds(5));

  CHECK(fleet.value(kube::pods(), "p", {"spec", "nodeName"}) == "node-2");
}

TEST_CASE("the operators Gt and Lt compare whole numbers in a node affinity, and a label selector lacks them") {
  struct Row {
    const char* op;
    const char* limit;
    const char* label;
    bool fits;
  };
  const Row rows[] = {{"Gt", "4", "8", true},    {"Gt", "8", "8", false},   {"Gt", "4", "8Gi", false},
                      {"Gt", "4x", "8", false},  {"Gt", "-1", "0", true},   {"Lt", "8", "4", true},
                      {"Lt", "8", "4.5", false}, {"Lt", "8Gi", "4", false}, {"Lt", "4", "8", false}};

  for (const auto& row : rows) {
    INFO(row.label << " " << row.op << " " << row.limit);
    const auto requirement =
        Tree::object({{"key", "cpu"}, {"operator", row.op}, {"values", Tree::array({Tree(row.limit)})}});
    const auto terms = Tree::array({Tree::object({{"matchExpressions", Tree::array({requirement})}})});
    auto pod_spec = Tree::object();
    pod_spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] = terms;
    auto node = Tree::object();
    node["metadata"]["labels"]["cpu"] = row.label;

    CHECK((fit(pod_spec, node) == NodeFit::kRuns) == row.fits);
    auto selector = Tree::object();
    selector["matchExpressions"] = Tree::array({requirement});
    CHECK_FALSE(selects_labels(selector, labels_in(node.at({"metadata", "labels"}))));
  }
}

}  // namespace
}  // namespace keelson::sandbox
