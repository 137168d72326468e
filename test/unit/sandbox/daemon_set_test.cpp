// DaemonSets in the server in this process: the nodes on which they run, and their updates.
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string set_of(const std::string& pod = "", const std::string& more = "") {
  return R"({"metadata":{"name":"agent"},"spec":{)" + more +
         R"("selector":{"matchLabels":{"app":"agent"}},"template":{"metadata":{"labels":{"app":"agent"}},"spec":{)" +
         pod + R"("containers":[{"name":"c","image":"i:1"}]}}}})";
}

const std::string kImage2 = R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:2"}]}}}})";

struct Nodes : Fleet {
  Nodes() {
    add("a", R"(,"labels":{"disk":"ssd"}})");
    add("b", R"(})");
    add("c", R"(},"spec":{"taints":[{"key":"gpu","effect":"NoSchedule"}]})");
  }
  void add(const std::string& name, const std::string& more) {
    create(kube::nodes(), R"({"metadata":{"name":")" + name + "\"" + more + "}");
  }
  std::string status(std::string_view field) { return value(kube::daemon_sets(), "agent", {"status", field}); }
  // The nodes of pods with an image, sorted, each followed by a space.
  std::string nodes_with(const std::string& image, bool running = false) {
    std::vector<std::string> found;
    for (const auto& pod : server.objects(kube::pods())) {
      auto document = json::Document::parse(pod.json());
      auto root = document->root();
      bool fits = root.at({"spec", "containers"}).item(0).find("image").string() == std::string_view(image);
      bool runs = root.at({"status", "phase"}).string() == std::string_view("Running");
      if (fits && !pod.deleting() && (runs || !running)) found.emplace_back(root.at({"spec", "nodeName"}).text());
    }
    std::ranges::sort(found);
    std::string text;
    for (const auto& name : found) text += name;
    return text;
  }
};

TEST_CASE("a DaemonSet runs a pod on each node whose taints it tolerates") {
  Nodes cluster;
  cluster.create(kube::daemon_sets(), set_of());

  cluster.pass(seconds(2));

  CHECK(cluster.nodes_with("i:1") == R"("a""b")");
  for (const char* field : {"desiredNumberScheduled", "currentNumberScheduled", "numberReady", "updatedNumberScheduled",
                            "numberAvailable"}) {
    INFO(field);
    CHECK(cluster.status(field) == "2");
  }
  CHECK(cluster.status("numberMisscheduled") == "0");
  CHECK(cluster.status("observedGeneration") == "1");
  auto version = cluster.server.resource_version();
  cluster.pass(std::chrono::hours(1));
  CHECK(cluster.server.resource_version() == version);
}

TEST_CASE("nodeSelector and tolerations determine the nodes of a DaemonSet") {
  Nodes cluster;
  cluster.create(kube::daemon_sets(), set_of(R"("nodeSelector":{"disk":"ssd"},)"));
  cluster.pass(seconds(2));
  CHECK(cluster.nodes_with("i:1") == R"("a")");

  cluster.patch(kube::daemon_sets(), "agent",
                R"({"spec":{"template":{"spec":{"nodeSelector":null,"tolerations":[{"operator":"Exists"}]}}}})");
  cluster.pass(seconds(3));

  CHECK(cluster.nodes_with("i:1") == R"("a""b""c")");
}

TEST_CASE("a DaemonSet reacts to changes of its nodes") {
  Nodes cluster;
  cluster.create(kube::daemon_sets(), set_of());
  cluster.pass(seconds(2));

  cluster.add("d", "}");
  cluster.remove(kube::nodes(), "a");
  cluster.pass(seconds(2));
  CHECK(cluster.nodes_with("i:1") == R"("b""d")");
  cluster.patch(kube::nodes(), "b", R"({"spec":{"taints":[{"key":"down","effect":"NoExecute"}]}})");
  cluster.pass(seconds(2));

  CHECK(cluster.nodes_with("i:1") == R"("d")");
}

TEST_CASE("a rolling update of a DaemonSet replaces maxUnavailable pods at a time") {
  Nodes cluster;
  cluster.add("d", "}");
  cluster.create(kube::daemon_sets(), set_of());
  cluster.pass(seconds(2));

  cluster.patch(kube::daemon_sets(), "agent", kImage2);
  cluster.pass(milliseconds(200));
  CHECK(cluster.nodes_with("i:1") == R"("b""d")");
  CHECK(cluster.status("numberUnavailable") == "1");
  cluster.pass(seconds(3));

  CHECK(cluster.nodes_with("i:2", true) == R"("a""b""d")");
  CHECK(cluster.nodes_with("i:1").empty());
  CHECK(cluster.count(kube::controller_revisions()) == 2);
}

TEST_CASE("maxSurge starts the new pod before the old one is deleted") {
  Nodes cluster;
  cluster.create(kube::daemon_sets(),
                 set_of("", R"("updateStrategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":0}},)"));
  cluster.pass(seconds(2));

  cluster.patch(kube::daemon_sets(), "agent", kImage2);
  cluster.pass(milliseconds(200));
  CHECK(cluster.nodes_with("i:1") == R"("a""b")");
  CHECK(cluster.count(kube::pods()) == 3);
  cluster.pass(seconds(3));

  CHECK(cluster.nodes_with("i:2", true) == R"("a""b")");
  CHECK(cluster.count(kube::pods()) == 2);
}

TEST_CASE("shares of a DaemonSet's nodes are rounded up and limited to all nodes") {
  struct Row {
    const char* update;
    std::size_t old_pods;  // of three, after the first step
    std::size_t pods;      // old and new, including those that are being deleted
  };
  const Row rows[] = {
      {R"("maxUnavailable":"1%")", 2, 3},
      {R"("maxUnavailable":"34%")", 1, 3},
      {R"("maxUnavailable":"100%")", 0, 3},
      {R"("maxUnavailable":7)", 0, 3},
      {R"("maxSurge":"1%","maxUnavailable":0)", 3, 4},
      {R"("maxSurge":"34%","maxUnavailable":0)", 3, 5},
      {R"("maxSurge":7,"maxUnavailable":0)", 3, 6},
  };
  for (const auto& row : rows) {
    INFO(row.update);
    Nodes cluster;
    cluster.add("d", "}");
    cluster.create(kube::daemon_sets(),
                   set_of("", R"("updateStrategy":{"rollingUpdate":{)" + std::string(row.update) + "}},"));
    cluster.pass(seconds(2));

    cluster.patch(kube::daemon_sets(), "agent", kImage2);
    cluster.pass(milliseconds(200));
    const auto old_nodes = cluster.nodes_with("i:1");
    CHECK(std::ranges::count(old_nodes, '"') == static_cast<std::ptrdiff_t>(2 * row.old_pods));
    CHECK(cluster.count(kube::pods()) == row.pods);
    cluster.pass(seconds(5));
    CHECK(cluster.nodes_with("i:2", true) == R"("a""b""d")");
  }
}

TEST_CASE("with OnDelete a daemon pod gets the new template when it is deleted") {
  Nodes cluster;
  cluster.create(kube::daemon_sets(), set_of("", R"("updateStrategy":{"type":"OnDelete"},)"));
  cluster.pass(seconds(2));
  cluster.patch(kube::daemon_sets(), "agent", kImage2);
  cluster.pass(seconds(2));
  CHECK(cluster.nodes_with("i:2").empty());

  auto pods = cluster.names(kube::pods());
  cluster.remove(kube::pods(), pods.substr(0, pods.find(' ')));
  cluster.pass(seconds(2));

  CHECK(cluster.nodes_with("i:1").size() == 3);
  CHECK(cluster.nodes_with("i:2").size() == 3);
}

}  // namespace
}  // namespace keelson::sandbox
