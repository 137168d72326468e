// Incidents in a simulated cluster, scraped once a minute: the alerts that fire on this history, and no others.
//
// The series are those of the simulated manager. Those of a process (its start, its memory), which it does not have,
// are added as a process exports them.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "src/kube/rejection_cause.hpp"
#include "test/deploy/promql.hpp"
#include "test/deploy/promtool.hpp"
#include "test/support/sanitizers.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;

const std::string kRules = std::string(KEELSON_SOURCE_DIR) + "/deploy/alerts.yaml";
const auto kCaches = kube::resource_of<kinds::Memcached>();
const kube::Key kShop("default", "shop");

std::string memcached(const std::string& name, const std::string& more = "") {
  return R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":")" + name + "\"" +
         more + R"(},"spec":{"size":1}})";
}

// The names of the series in the expressions of the alerts.
std::set<std::string> series_of_alerts() {
  const auto text = json::yaml_to_json(content_of(kRules));
  REQUIRE(text);
  const auto document = json::Document::parse(*text);
  REQUIRE(document);
  std::set<std::string> names;
  for (const auto group : document->root().find("groups").items()) {
    for (const auto rule : group.find("rules").items()) {
      for (const auto& series : named_by(rule.find("expr").string().value_or("")).series) names.insert(series.name);
    }
  }
  return names;
}

// The samples of one manager, for `promtool test rules`.
class History {
 public:
  explicit History(std::string name) : name_(std::move(name)) {}

  // The next minute. A scrape of a manager that does not run has no samples.
  void scrape(sandbox::SimulatedCluster& cluster) {
    ++minute_;
    if (!cluster.manager_runs()) return;
    std::istringstream lines(cluster.metrics());
    for (std::string line; std::getline(lines, line);) {
      const auto space = line.rfind(' ');
      const auto series = line.substr(0, space);
      if (line.starts_with("#") || !used_.contains(series.substr(0, series.find('{')))) continue;
      add(series, line.substr(space + 1));
    }
    add("keelson_timers", "5");
  }
  // A sample of the last minute: `keelson_objects{kind="A"}`.
  void add(const std::string& series, const std::string& value) {
    auto name = series.substr(0, series.find('{'));
    auto labels = name.size() == series.size() ? "}" : "," + series.substr(name.size() + 1);
    auto& samples = samples_[name + R"({job="k",instance="a",namespace="n")" + labels];
    samples.resize(static_cast<std::size_t>(minute_), "_");
    samples.push_back(value);
  }
  void add(const std::string& series, double value) { add(series, std::to_string(value)); }
  // Scrapes for so many minutes. `each` adds samples.
  void pass(sandbox::SimulatedCluster& cluster, int minutes, const std::function<void()>& each = {}) {
    for (int i = 0; i < minutes; ++i) {
      cluster.pass(1min);
      scrape(cluster);
      if (each) each();
    }
  }

  // The alerts that fire at the last minute: "KeelsonRestarts instance=a".
  void expect(std::vector<std::string> alerts) { expected_.emplace_back(minute_, std::move(alerts)); }
  void check() const {
    const std::string path = std::string(KEELSON_BINARY_DIR) + "/" + name_;
    std::ofstream(path + ".yaml") << text();
    const auto command = "'" KEELSON_PROMTOOL "' test rules '" + path + ".yaml' > '" + path + ".said' 2>&1";
    const int status = std::system(command.c_str());
    INFO(content_of(path + ".said"));
    CHECK(status == 0);
  }

 private:
  [[nodiscard]] std::string text() const {
    std::string text = "rule_files: ['" + kRules + "']\nevaluation_interval: 1m\ntests:\n- interval: 1m\n";
    text += "  input_series:\n";
    for (const auto& [series, samples] : samples_) {
      text += "  - {series: '" + series + "', values: '";
      for (const auto& sample : samples) text += sample + " ";
      text += "'}\n";
    }
    text += "  promql_expr_test:\n";
    for (const auto& [minute, alerts] : expected_) {
      text +=
          "  - expr: ALERTS{alertstate=\"firing\"}\n    eval_time: " + std::to_string(minute) + "m\n    exp_samples:";
      if (alerts.empty()) text += " []";
      text += "\n";
      for (const auto& alert : alerts) text += "    - {labels: '" + labels_of(alert) + "', value: 1}\n";
    }
    return text;
  }
  [[nodiscard]] static std::string labels_of(const std::string& alert) {
    std::istringstream words(alert);
    std::string word;
    words >> word;
    std::string labels =
        "ALERTS{alertname=\"" + word + R"(",alertstate="firing",severity="warning",job="k",namespace="n")";
    while (words >> word) {
      const auto equal = word.find('=');
      labels += "," + word.substr(0, equal) + "=\"" + word.substr(equal + 1) + "\"";
    }
    return labels + "}";
  }

  std::string name_;
  std::set<std::string> used_ = series_of_alerts();
  int minute_ = -1;
  std::map<std::string, std::vector<std::string>> samples_;
  std::vector<std::pair<int, std::vector<std::string>>> expected_;
};

struct Observed : sandbox::SimulatedCluster {
  explicit Observed(const std::string& name, sandbox::ApiServerOptions options = {})
      : SimulatedCluster(kinds::memcached(), {.server = std::move(options), .tolerates_problems = true}),
        history(name) {
    REQUIRE(start_manager());
    pass_minutes(1);
  }
  void pass_minutes(int minutes, const std::function<void()>& each = {}) { history.pass(*this, minutes, each); }
  void add(const std::string& name, const std::string& more = "") {
    REQUIRE(server.add_object(kCaches, "default", memcached(name, more)));
  }
  void add_many(int count) {
    for (int i = 0; i < count; ++i) add("n" + std::to_string(i));
  }
  // Each request takes ten seconds on average.
  void slow_down() { server.set_chaos({.most_latency = 20s}); }

  History history;
};

// Half an hour of thousands of objects takes minutes under the sanitizers, which see the same code in room sim.
void skip_if_sanitized() {
  if (KEELSON_SANITIZED) SKIP("takes minutes under the sanitizers");
}

TEST_CASE("alerts: 3,000 objects are created at once and reconciled within minutes") {
  skip_if_sanitized();
  Observed cluster("burst");
  cluster.server.set_chaos({.most_latency = 200ms});
  cluster.add_many(3000);
  for (int i = 0; i < 4; ++i) {
    cluster.pass_minutes(8);
    cluster.history.expect({});
  }
  cluster.history.check();
}

TEST_CASE("alerts: 3,000 objects are created at once and wait, because the API server is slow") {
  Observed cluster("slow_burst");
  cluster.slow_down();
  cluster.add_many(3000);
  cluster.pass_minutes(14);
  cluster.history.expect({});
  cluster.pass_minutes(12);
  cluster.history.expect({"KeelsonQueueSlow controller=memcached"});
  cluster.history.check();
}

boost::asio::awaitable<void> remove_one(kube::Client& client, kube::Key key) {
  auto removed = co_await kube::remove(client, kCaches, std::move(key), {});
  CHECK(removed);
}

TEST_CASE("alerts: objects are created and deleted all the time, faster than they are reconciled, or slower") {
  skip_if_sanitized();
  for (const bool is_slow : {false, true}) {
    INFO(is_slow);
    Observed cluster(is_slow ? "slow_churn" : "churn");
    if (is_slow) cluster.slow_down();
    async::TaskGroup removals(cluster.loop.executor());
    int made = 0;
    const auto minute = [&] {
      for (int i = 0; i < 60; ++i) {
        cluster.add("n" + std::to_string(made));
        kube::Key old("default", "n" + std::to_string(made - 60));
        if (made >= 60) removals.spawn(remove_one(cluster.server.client("user"), std::move(old)));
        ++made;
      }
    };
    minute();
    cluster.pass_minutes(34, minute);
    std::vector<std::string> alerts;
    if (is_slow) alerts.emplace_back("KeelsonQueueSlow controller=memcached");
    cluster.history.expect(std::move(alerts));
    cluster.history.check();
    cluster.loop.run(removals.join());
  }
}

TEST_CASE("alerts: the manager is killed (kill -9) once, and then three times within an hour") {
  Observed cluster("kill");
  cluster.add("shop");
  async::WallTime started = cluster.loop.clock().wall_now();
  const auto export_process = [&] {
    if (!cluster.manager_runs()) return;
    const auto seconds = std::chrono::duration<double>(started.time_since_epoch()).count();
    cluster.history.add("process_start_time_seconds", seconds);
    cluster.history.add(R"(leader_election_master_status{name="l"})", 1);
  };
  // The kubelet starts the container again after a delay, in which a scrape fails.
  const auto kill = [&] {
    cluster.crash_manager();
    cluster.pass_minutes(1);
    REQUIRE(cluster.start_manager());
    started = cluster.loop.clock().wall_now();
  };
  cluster.pass_minutes(20, export_process);
  kill();
  cluster.pass_minutes(30, export_process);
  cluster.history.expect({});
  cluster.pass_minutes(60, export_process);
  cluster.history.expect({});

  kill();
  cluster.pass_minutes(10, export_process);
  kill();
  cluster.pass_minutes(10, export_process);
  cluster.history.expect({});
  kill();
  cluster.pass_minutes(2, export_process);
  cluster.history.expect({"KeelsonRestarts instance=a"});
  cluster.pass_minutes(60, export_process);
  cluster.history.expect({});
  cluster.history.check();
}

TEST_CASE("alerts: the CRD is older than the manager, which lacks a field of the status") {
  Observed cluster("older_crd");
  cluster.add("shop");
  const auto export_rejections = [&] {
    cluster.history.add(R"(keelson_rejected_requests_total{cause="schema",verb="patch",resource="memcacheds/status"})",
                        static_cast<double>(cluster.writes(kCaches, "status", 500)));
  };
  cluster.pass_minutes(30, export_rejections);
  cluster.history.expect({});

  auto older = controller::kind_of<kinds::Memcached>();
  older.status_schema = R"({"type":"object","properties":{"nodes":{"type":"array","items":{"type":"string"}}}})";
  cluster.server.serve(older);
  REQUIRE(cluster.patch(kCaches, kShop, R"({"spec":{"size":2}})"));
  cluster.pass_minutes(20, export_rejections);
  cluster.history.expect({});
  // The client counts the answer by its text.
  Error answer(Error::Kind::kStatus, "");
  answer.code = 500;
  answer.server_text = cluster.explain_object(kCaches, kShop);
  CHECK(kube::rejection_cause(answer) == "schema");

  const std::string differs = "KeelsonSchemaDiffers verb=patch resource=memcacheds/status";
  cluster.pass_minutes(15, export_rejections);
  cluster.history.expect({differs});
  cluster.pass_minutes(40, export_rejections);
  cluster.history.expect({differs, "KeelsonReconcileErrors controller=memcached"});

  cluster.server.serve(controller::kind_of<kinds::Memcached>());
  cluster.pass_minutes(45, export_rejections);
  cluster.history.expect({});
  cluster.history.check();
}

double sum_of(const std::string& metrics, const std::string& name) {
  double sum = 0;
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + "{")) sum += std::stod(line.substr(line.rfind(' ') + 1));
  }
  return sum;
}

TEST_CASE("alerts: big objects fill the caches of the manager, and its memory") {
  constexpr double kMegabyte = 1 << 20;
  Observed cluster("memory");
  // What the process needs without objects, and its caches.
  const auto export_process = [&] {
    const auto caches = sum_of(cluster.metrics(), "keelson_cache_bytes");
    cluster.history.add("process_resident_memory_bytes", 20 * kMegabyte + caches);
    cluster.history.add("keelson_memory_limit_bytes", 64 * kMegabyte);
  };
  cluster.pass_minutes(15, export_process);
  cluster.history.expect({});
  const std::string note = R"(,"annotations":{"note":")" + std::string(200'000, 'x') + "\"}";
  for (int i = 0; i < 220; ++i) cluster.add("big-" + std::to_string(i), note);
  cluster.pass_minutes(20, export_process);
  cluster.history.expect({"KeelsonMemoryHigh instance=a"});
  cluster.history.check();
}

TEST_CASE("alerts: a child is too large for the API server") {
  Observed cluster("large_child");
  Error answer(Error::Kind::kStatus, "");
  answer.code = 413;
  answer.reason = "RequestEntityTooLarge";
  answer.server_text = "Request entity too large: limit is 3145728";
  for (int i = 0; i < 500; ++i) {
    cluster.server.fail_next(
        [](const RequestInfo& r) { return r.user == "manager" && r.is_write() && r.resource == kube::deployments(); },
        answer);
  }
  cluster.add("shop");
  cluster.pass_minutes(4);
  cluster.history.expect({});
  cluster.pass_minutes(20);
  const std::string kind = " group=memcached.cache.example.com kind=Memcached";
  cluster.history.expect(
      {"KeelsonObjectsStalled" + kind, "KeelsonObjectsDegraded" + kind, "KeelsonObjectsUnavailable" + kind});
  cluster.history.check();
}

}  // namespace
}  // namespace keelson::testing
