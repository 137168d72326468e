#include "test/deploy/promql.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using keelson::testing::named_by;
using Labels = std::set<std::string>;

}  // namespace

TEST_CASE("a series is found with the labels of its selector") {
  auto named = named_by(R"(requests_total{code=~"5..|}<error>", method != "GET"} > 0)");

  REQUIRE(named.series.size() == 1);
  CHECK(named.series[0].name == "requests_total");
  CHECK(named.series[0].labels == Labels{"code", "method"});
  CHECK(named.labels.empty());
}

TEST_CASE("functions, aggregations, durations and operators are not series") {
  auto named = named_by(
      "histogram_quantile(0.99, sum by (controller, le) (rate(seconds_bucket{le=\"10\"}[5m]))) * 1e3\n"
      "unless on(job) max without (pod) (up offset 5m) and time() > bool 1");

  REQUIRE(named.series.size() == 2);
  CHECK(named.series[0].name == "seconds_bucket");
  CHECK(named.series[0].labels == Labels{"le"});
  CHECK(named.series[1].name == "up");
  CHECK(named.labels == Labels{"controller", "le", "job", "pod"});
}

TEST_CASE("variables of a dashboard are not series") {
  auto named = named_by(R"(rate(x_total{job=~"$job"}[$__rate_interval]))");

  REQUIRE(named.series.size() == 1);
  CHECK(named.series[0].name == "x_total");
  CHECK(named.labels.empty());
}
