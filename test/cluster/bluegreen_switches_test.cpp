// Many switches under WhenReady on a real control plane, checked in the order in which etcd stored the writes.
//
// KEELSON_SWITCHES: their number (default 40).
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <sstream>

#include "test/cluster/harness/cluster.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

constexpr int kObjects = 20;

std::string name_of(int object) { return "shop-" + std::to_string(object); }

// Each round is a release of all objects: new pods for the color that receives the traffic next.
void release(int round, const std::string& ns) {
  const std::string color = round % 2 == 0 ? "Blue" : "Green";
  auto image = [&](const std::string& of) {
    return "{containers: [{name: main, image: \"app:" + std::to_string(of == color ? round : round - 1) + "\"}]}";
  };
  for (int object = 0; object < kObjects; ++object) {
    const auto name = name_of(object);
    apply_object("bluegreen", name, ns,
                 "apiVersion: app.demo.kakao.com/v1\nkind: BlueGreen\nmetadata: {name: " + name +
                     "}\nspec: {routeTo: " + color + ", switchPolicy: WhenReady, blueSpec: " + image("Blue") +
                     ", greenSpec: " + image("Green") + "}\n");
  }
}

// The events of a watch of a kind in a namespace, from now on.
class Recording {
 public:
  Recording(const std::string& ns, const std::string& plural)
      : watch_({"kubectl", "get", "--raw", "/api/v1/namespaces/" + ns + "/" + plural + "?watch=true"},
               folder_.file("events")) {}
  [[nodiscard]] std::string text() const { return watch_.log(); }

 private:
  TemporaryFolder folder_;
  Process watch_;
};

struct Seen {
  bool is_service = false;
  bool is_gone = false;
  std::string name;
  std::string owner;  // the BlueGreen
  std::string color;  // of its pods, or that it selects
  bool is_ready = false;
};

// By resourceVersion, which is a single counter for both kinds.
void read(const std::string& text, bool is_service, std::map<std::int64_t, Seen>& all) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto document = json::Document::parse(line);
    if (!document) continue;  // the last line, which the end of the recording cut off
    auto object = document->root().find("object");
    auto labels = is_service ? object.at({"spec", "selector"}) : object.at({"metadata", "labels"});
    Seen seen;
    seen.is_service = is_service;
    seen.is_gone = document->root().find("type").string() == "DELETED";
    seen.name = object.at({"metadata", "name"}).string().value_or("");
    seen.owner = labels.find("app.kubernetes.io/name").string().value_or("");
    seen.color = labels.find("app.kubernetes.io/phase").string().value_or("");
    bool is_leaving = !object.at({"metadata", "deletionTimestamp"}).is_absent();
    for (auto condition : object.at({"status", "conditions"}).items()) {
      bool is_ready = condition.find("type").string() == "Ready" && condition.find("status").string() == "True";
      if (is_ready && !is_leaving) seen.is_ready = true;
    }
    all.emplace(std::stoll(std::string(object.at({"metadata", "resourceVersion"}).string().value_or("0"))), seen);
  }
}

struct Judgement {
  int switches = 0;
  std::string bad;
};

Judgement judge(const std::map<std::int64_t, Seen>& all) {
  Judgement judgement;
  std::map<std::string, Seen> pods;
  std::map<std::string, std::string> selected;
  for (const auto& [version, seen] : all) {
    if (!seen.is_service) {
      pods[seen.name] = seen;
      continue;
    }
    auto& before = selected[seen.owner];
    if (!before.empty() && before != seen.color) {
      ++judgement.switches;
      bool serves = std::ranges::any_of(pods, [&](const auto& pod) {
        const auto& [name, state] = pod;
        return state.is_ready && !state.is_gone && state.owner == seen.owner && state.color == seen.color;
      });
      if (!serves) judgement.bad += seen.owner + " to " + seen.color + " at " + std::to_string(version) + "\n";
    }
    before = seen.color;
  }
  return judgement;
}

bool all_serve(const std::string& ns, const std::string& color) {
  return values_of("bluegreen", ns, ".status.routeTo") == std::vector<std::string>(kObjects, color);
}

TEST_CASE("B12: WhenReady: a selector never changes to a color without a ready pod, under load and kill -9") {
  const char* wanted = std::getenv("KEELSON_SWITCHES");
  const int switches = wanted == nullptr ? 40 : std::atoi(wanted);
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  auto manager = std::make_unique<Manager>(std::vector<std::string>{"--max-concurrent-reconciles=4"});
  manager->wait_until_ready();
  Recording services(ns, "services");
  Recording pods(ns, "pods");
  release(0, ns);
  eventually("all serve Blue", [&] { return all_serve(ns, "Blue"); });

  for (int round = 1; round * kObjects <= switches; ++round) {
    release(round, ns);
    if (round % 2 == 0) {
      manager->process().signal(9);
      (void)manager->process().wait();
      manager = std::make_unique<Manager>(std::vector<std::string>{"--max-concurrent-reconciles=4"});
    }
    // Autoscalers also change the replicas.
    kubectl({"scale", "deployments", "--all", "-n", ns, "--replicas=" + std::to_string(1 + round % 3)});
    eventually(
        "all have switched", [&] { return all_serve(ns, round % 2 == 0 ? "Blue" : "Green"); },
        std::chrono::seconds(120));
  }

  std::map<std::int64_t, Seen> all;
  read(services.text(), true, all);
  read(pods.text(), false, all);
  auto judgement = judge(all);
  INFO(judgement.bad);
  CHECK(judgement.bad.empty());
  CHECK(judgement.switches == switches / kObjects * kObjects);
}

}  // namespace
}  // namespace keelson::testing
