// The invariants of each controller hold across every change of leader, with any faults of the replicas.
//
// `scripts/sim leaders` runs it with many seeds; the normal tests include a few.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "keelson/detail/sandbox/replica_faults.hpp"
#include "src/kinds/bluegreen/bluegreen.hpp"
#include "src/kinds/built_in.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/guestbook/guestbook.hpp"
#include "src/kinds/hikawa/hikawa.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/seeds.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::ReplicaFaults;
using OptionalObject = std::optional<kube::Object>;

kube::Resource resource_of(const controller::Definition& definition) { return definition.resource(); }

std::string text_at(const kube::Object& object, std::initializer_list<std::string_view> path) {
  auto document = json::Document::parse(object.json());
  REQUIRE(document.has_value());
  return std::string(document->root().at(path).string().value_or(""));
}

std::int64_t number_at(const kube::Object& object, std::initializer_list<std::string_view> path) {
  auto document = json::Document::parse(object.json());
  REQUIRE(document.has_value());
  return document->root().at(path).integer().value_or(0);
}

// Checks every write of every client.
class Promises {
 public:
  explicit Promises(sandbox::ApiServer& server) : server_(server) {
    server.after_write(
        [this](const kube::Resource& resource, const OptionalObject& before, const OptionalObject& after) {
          if (resource == kube::jobs()) hear_of_job(before, after);
          if (resource == kube::services()) hear_of_service(after);
          if (resource.kind == "Zundoko" || resource.kind == "Kiyoshi") hear_of_word(before, after);
        });
  }
  ~Promises() { server_.after_write({}); }

  std::vector<std::string> broken;
  std::size_t runs = 0;
  std::size_t switches = 0;
  std::size_t words = 0;

 private:
  // Forbid: one Job at a time. A slot, which is part of the name, runs once.
  void hear_of_job(const OptionalObject& before, const OptionalObject& after) {
    if (!before && after) {
      ++runs;
      if (++made_[std::string(after->name())] > 1) broken.push_back("made twice: " + std::string(after->name()));
      if (!active_.empty()) {
        broken.push_back(std::string(after->name()) + " runs at the same time as " + *active_.begin());
      }
      active_.insert(std::string(after->name()));
    }
    const bool is_over = !after || !text_at(*after, {"status", "completionTime"}).empty();
    if (is_over) active_.erase(std::string((after ? after : before)->name()));
  }
  // WhenReady: traffic goes to a color with a ready pod.
  void hear_of_service(const OptionalObject& after) {
    if (!after || after->name() != "site") return;
    auto color = text_at(*after, {"spec", "selector", "app.kubernetes.io/phase"});
    if (std::exchange(selected_, color) == color || ++switches == 1) return;
    for (const auto& deployment : server_.objects(kube::deployments())) {
      if (deployment.name() != (color == "Blue" ? "siteblue-deployment" : "sitegreen-deployment")) continue;
      if (number_at(deployment, {"status", "readyReplicas"}) > 0) return;
    }
    broken.push_back("switched to " + color + ", which has no ready pod");
  }
  // No word is created twice, and none after the last one.
  void hear_of_word(const OptionalObject& before, const OptionalObject& after) {
    if (before || !after) return;
    ++words;
    if (++made_[std::string(after->name())] > 1) broken.push_back("said twice: " + std::string(after->name()));
    if (made_.contains("singer-kiyoshi") && after->name() != "singer-kiyoshi") broken.push_back("sung after the end");
  }

  sandbox::ApiServer& server_;
  std::map<std::string, int> made_;
  std::set<std::string> active_;
  std::string selected_;
};

std::string pod(const std::string& name) { return R"({"containers":[{"name":")" + name + R"(","image":"i:1"}]})"; }

void create_all(ReplicaFaults& faults) {
  auto create = [&](const kube::Resource& resource, const std::string& object) {
    REQUIRE(faults.replicas.create(resource, "default", object));
  };
  create(resource_of(kinds::memcached()),
         R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"cache"},)"
         R"("spec":{"size":1}})");
  create(resource_of(kinds::cronjob()),
         R"({"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":"report"},)"
         R"("spec":{"schedule":"@every 7s","concurrencyPolicy":"Forbid","jobTemplate":{"spec":{"template":)"
         R"({"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]}}}}}})");
  create(resource_of(kinds::bluegreen()),
         R"({"apiVersion":"app.demo.kakao.com/v1","kind":"BlueGreen","metadata":{"name":"site"},)"
         R"("spec":{"routeTo":"Blue","switchPolicy":"WhenReady","blueSpec":)" +
             pod("blue") + R"(,"greenSpec":)" + pod("green") + "}}");
  create(resource_of(kinds::hikawa()), R"({"apiVersion":"zundokokiyoshi.kaitoy.github.com/v1beta1","kind":"Hikawa",)"
                                       R"("metadata":{"name":"singer"},"spec":{"intervalMillis":500}})");
}

// Another color, whose pod template must be rolled out first.
void ask_for_something(ReplicaFaults& faults) {
  if (faults.random.unit() < 0.8) return;
  const bool is_blue = faults.random.unit() < 0.5;
  const auto version = std::to_string(faults.random.between(1, 1000));
  REQUIRE(faults.replicas.patch(resource_of(kinds::bluegreen()), {"default", "site"},
                                R"({"spec":{"routeTo":")" + std::string(is_blue ? "Blue" : "Green") + R"(",")" +
                                    (is_blue ? "blue" : "green") + R"(Spec":{"containers":[{"name":"c","image":"i:)" +
                                    version + R"("}]}}})"));
}

TEST_CASE("with any faults of the replicas, each controller's invariants hold across every change of leader") {
  const auto first = number_of("KEELSON_SIM_FROM", 1);
  const auto seeds = number_of("KEELSON_SIM_SEEDS", 4);
  sandbox::ApiServerOptions options;
  options.job_shortest = 1s;
  options.job_longest = 30s;
  std::size_t runs = 0, switches = 0, words = 0;
  for (auto seed = first; seed < first + seeds; ++seed) {
    INFO("seed " << seed);
    ReplicaFaults faults(kinds::built_in(), seed, options);
    Promises promises(faults.replicas.server);
    create_all(faults);

    faults.disturb(180s, [&] { ask_for_something(faults); });
    faults.repair();
    faults.pass(60s);

    for (const auto& what : promises.broken) FAIL_CHECK(what);
    CHECK(faults.replicas.problems().empty());
    CHECK(faults.most_writers() == 1);
    CHECK(faults.stale_writer() == "");
    CHECK(faults.replicas.leaders() == 1);
    runs += promises.runs;
    switches += promises.switches;
    words += promises.words;
  }
  // Each controller had work.
  CHECK(runs > 2 * seeds);
  CHECK(switches > seeds);
  CHECK(words > 4 * seeds);
}

}  // namespace
}  // namespace keelson::testing
