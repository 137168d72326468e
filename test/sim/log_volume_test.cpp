// The log of a manager with 45 objects: at level info it has the changes, not a line for each reconcile.
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/sandbox/simulated_cluster.hpp"
#include "src/kinds/built_in.hpp"
#include "test/sim/every_kind.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kObjects = 45;
constexpr std::size_t kLinesOfAMinute = 10;

TEST_CASE("the log of 45 objects has at most ten lines a minute at level info, with CronJobs that run each minute") {
  sandbox::SimulatedCluster cluster(kinds::built_in());
  const auto rows = every_kind();
  auto made = cluster.start_manager();
  REQUIRE(made);
  for (int i = 0; i < kObjects; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i) % rows.size()];
    const auto& resource = row.definition.resource();
    auto created =
        cluster.create(resource, "default",
                       R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind +
                           R"(","metadata":{"name":"o)" + std::to_string(i) + R"("},"spec":)" + row.spec + "}");
    INFO((created ? "" : created.error().message()));
    REQUIRE(created);
  }
  cluster.pass(5min);
  cluster.sink.clear();

  cluster.pass(10min);

  std::map<std::string, int> messages;
  std::size_t lines = 0;
  for (const auto& entry : cluster.sink.entries()) {
    if (entry.level == LogSink::Level::kDebug) continue;
    ++lines;
    ++messages[entry.message];
  }
  for (const auto& [message, count] : messages) UNSCOPED_INFO(count << " " << message);
  CHECK(lines <= 10 * kLinesOfAMinute);
  CHECK(cluster.problems().empty());
}

}  // namespace
}  // namespace keelson::testing
