#include "keelson/detail/metrics/names.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/metrics/registry.hpp"

using namespace keelson::metrics;

namespace {

// All `le` of a histogram with these bounds, as in our text, separated by spaces.
std::string le_labels(std::vector<double> bounds) {
  Registry registry;
  registry.histogram("h", "", {}, std::move(bounds)).with({});
  auto text = registry.text();
  std::string all;
  constexpr std::string_view kMark = "le=\"";
  for (auto at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
    at += kMark.size();
    if (!all.empty()) all.push_back(' ');
    all.append(text, at, text.find('"', at) - at);
  }
  return all;
}

}  // namespace

TEST_CASE("P9: reconcile_time_seconds has controller-runtime's bounds") {
  CHECK(le_labels(reconcile_seconds_buckets()) ==
        "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 "
        "4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf");
  CHECK(reconcile_seconds_buckets().size() == 40);
}

TEST_CASE("the bounds of the workqueue are rounded as in Go") {
  CHECK(le_labels(workqueue_seconds_buckets()) ==
        "1e-08 1e-07 1e-06 9.999999999999999e-06 9.999999999999999e-05 0.001 0.01 0.1 1 10 100 1000 +Inf");
}

TEST_CASE("P9: request durations have client-go's bounds") {
  CHECK(le_labels(request_seconds_buckets()) == "0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 60 +Inf");
}

TEST_CASE("bounds have an exponent from a million on, as in Go") {
  CHECK(le_labels({64, 262144, 1048576, 16777216}) == "64 262144 1.048576e+06 1.6777216e+07 +Inf");
}

TEST_CASE("every series has a name that Prometheus accepts") {
  Registry registry;
  const Series all[] = {kReconcileTotal,
                        kReconcileErrorsTotal,
                        kTerminalReconcileErrorsTotal,
                        kReconcilePanicsTotal,
                        kReconcileTimeoutsTotal,
                        kReconcileTimeSeconds,
                        kMaxConcurrentReconciles,
                        kActiveWorkers,
                        kWorkqueueDepth,
                        kWorkqueueAddsTotal,
                        kWorkqueueQueueDurationSeconds,
                        kWorkqueueWorkDurationSeconds,
                        kWorkqueueUnfinishedWorkSeconds,
                        kWorkqueueLongestRunningProcessorSeconds,
                        kWorkqueueRetriesTotal,
                        kRestClientRequestsTotal,
                        kRestClientRequestDurationSeconds};
  for (const auto& series : all) registry.gauge(series.name, series.help, {"controller"}).with({"c"}).set(1);

  auto text = registry.text();

  for (const auto& series : all) {
    CHECK(text.find(std::string(series.name) + "{controller=\"c\"} 1\n") != std::string::npos);
  }
}
