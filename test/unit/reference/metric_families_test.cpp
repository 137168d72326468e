#include "tools/reference/metric_families.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/base/task.hpp"

using namespace keelson;

namespace {

struct Idle final : controller::Reconciler {
  Task<controller::Outcome> reconcile(controller::Attempt&) override { co_return controller::Outcome::done(); }
};

controller::Definition boats() {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", "Boat", "boats"};
  return controller::define(kind).reconciled_by([](controller::Context&) { return std::make_unique<Idle>(); });
}

}  // namespace

TEST_CASE("the metrics of all services of a manager are known, sorted by name") {
  const auto families = reference::metric_families({boats()});

  CHECK(std::ranges::is_sorted(families, {}, &metrics::FamilyFacts::name));
  for (const std::string name : {"controller_runtime_conversion_webhook_panics_total",
                                 "controller_runtime_reconcile_total", "keelson_loop_lag_seconds",
                                 "leader_election_master_status", "process_resident_memory_bytes", "workqueue_depth"}) {
    INFO(name);
    CHECK(std::ranges::count(families, name, &metrics::FamilyFacts::name) == 1);
  }
}
