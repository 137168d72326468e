// /metrics with everything at work: Prometheus' own tool accepts it, and the reference and the page list the same
// series.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "src/kinds/built_in.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/registered_webhooks.hpp"
#include "test/support/certificates.hpp"
#include "test/support/temporary_folder.hpp"
#include "tools/reference/metric_families.hpp"

namespace keelson::testing {
namespace {

struct PageFamily {
  std::string help;
  std::string type;
  std::set<std::string> label_names;
};
using Page = std::map<std::string, PageFamily>;

// A value may contain anything except an unescaped quote.
std::set<std::string> labels_of_sample(const std::string& line) {
  std::set<std::string> names;
  auto at = line.find('{');
  while (at != std::string::npos && line[at] != '}') {
    const auto equals = line.find('=', at);
    names.insert(line.substr(at + 1, equals - at - 1));
    at = equals + 2;
    while (line[at] != '"') at += line[at] == '\\' ? 2 : 1;
    ++at;
  }
  names.erase("le");
  return names;
}

// The text is our own, in this order: # HELP, # TYPE, samples.
Page parse(const std::string& text) {
  Page page;
  std::string name;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mark;
    std::string what;
    if (line.starts_with("# ")) {
      words >> mark >> what >> name;
      std::string rest;
      std::getline(words >> std::ws, rest);
      (what == "HELP" ? page[name].help : page[name].type) = rest;
    } else {
      page[name].label_names.merge(labels_of_sample(line));
    }
  }
  return page;
}

// Each controller has completed a reconcile, each webhook has answered, and this replica leads.
bool everything_has_counted(const Manager& manager) {
  const auto text = manager.metrics();
  const auto has = [&text](const std::string& line) { return text.find("\n" + line) != std::string::npos; };
  const auto controllers = kinds::built_in();
  return std::ranges::all_of(
             controllers,
             [&](const auto& definition) {
               return has("controller_runtime_reconcile_time_seconds_count{controller=\"" + definition.name() + "\"}");
             }) &&
         has("controller_runtime_webhook_admission_decisions_total{") &&
         has("leader_election_master_status{name=\"keelson-manager\"} 1");
}

std::string page_with_everything_at_work() {
  Namespace space;
  const auto& ns = space.name();
  Authority authority;
  const TemporaryFolder folder;
  const auto pair = authority.issue({.names = {std::string(RegisteredWebhooks::kService) + "." + ns + ".svc"}});
  folder.write("tls.crt", pair.certificate_pem);
  folder.write("tls.key", pair.key_pem);
  const auto port = free_port();
  RegisteredWebhooks registered(ns, port, authority.certificate_pem());
  // Without a collector the spans are dropped, and counted.
  const auto collector = "http://127.0.0.1:" + std::to_string(free_port());
  ::setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.c_str(), 1);
  Manager manager({"--webhook-port=" + std::to_string(port), "--webhook-cert-path=" + folder.path().string(),
                   "--leader-elect", "--leader-election-namespace=" + ns, "--watch-namespaces=" + ns});
  ::unsetenv("OTEL_EXPORTER_OTLP_ENDPOINT");
  manager.wait_until_ready();
  kubectl({"apply", "-n", ns, "-k", std::string(KEELSON_SOURCE_DIR) + "/config/samples"});
  eventually("every series has a value", [&] { return everything_has_counted(manager); });
  kubectl({"wait", "-n", ns, "--for=condition=Ready", "memcached/memcached-sample", "--timeout=180s"});
  auto text = manager.metrics();
  manager.stop();
  return text;
}

TEST_CASE("P9: promtool accepts /metrics when all features are in use, and the reference lists exactly its series") {
  const auto text = page_with_everything_at_work();

  const auto said = run({KEELSON_PROMTOOL, "check", "metrics"}, text);
  CHECK(said.text.empty());
  CHECK(said.exit_code == 0);

  const auto page = parse(text);
  std::set<std::string> known;
  for (const auto& family : reference::metric_families(kinds::built_in())) {
    INFO("the series " << family.name);
    known.insert(family.name);
    // Only in a container with a memory limit.
    if (family.name == "keelson_memory_limit_bytes") continue;
    // dry_run_test.cpp, conflict_test.cpp and alert_series_test.cpp have what these count.
    if (family.name.starts_with("keelson_dry_run_")) continue;
    if (family.name == "keelson_write_conflicts_total" || family.name == "keelson_contested_children") continue;
    if (family.name == "keelson_corrections_total" || family.name == "keelson_rejected_requests_total") continue;
    const auto shown = page.find(family.name);
    CHECK(shown != page.end());
    if (shown == page.end()) continue;
    CHECK(shown->second.help == family.help);
    CHECK(shown->second.type == family.type);
    CHECK(shown->second.label_names == std::set<std::string>(family.label_names.begin(), family.label_names.end()));
  }
  for (const auto& [name, family] : page) {
    INFO("the series " << name
                       << " is not in docs/reference/metrics.md: tools/reference/metric_families.cpp misses a service");
    CHECK(known.contains(name));
  }
}

}  // namespace
}  // namespace keelson::testing
