// A plan against the writes that follow: a version makes the writes that its plan lists.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/memcached/memcached.hpp"
#include "src/plan/make_plan.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using plan::Plan;
using plan::PlannedWrite;

constexpr const char* kImage = "MEMCACHED_IMAGE";
const std::string kPlanner = "planner";

// Five Memcacheds that have converged.
struct FiveMemcacheds : ClusterWithUser {
  FiveMemcacheds() : ClusterWithUser(1, kinds::memcached()) {
    for (int i = 0; i < 5; ++i) {
      create(kube::resource_of<kinds::Memcached>(), "default",
             R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"m)" +
                 std::to_string(i) + R"("},"spec":{"size":2}})");
    }
    start_manager();
    pass(1min);
  }

  Plan planned(const std::map<std::string, std::string>& variables) {
    const auto copy = result_of(loop, plan::LiveCopy::make(server.client(kPlanner), {{kinds::memcached()}, {}}));
    INFO((copy ? "" : copy.error().message()));
    REQUIRE(copy);
    auto made = plan::make_plan(**copy, {{kinds::memcached()}, variables, {}, loop.clock().wall_now()});
    INFO((made ? "" : made.error().message()));
    REQUIRE(made);
    return std::move(*made);
  }

  // The writes of the manager after a restart with these variables.
  std::vector<PlannedWrite> written(const std::map<std::string, std::string>& variables) {
    std::vector<PlannedWrite> writes;
    server.after_write([&](const kube::Resource& resource, const auto& before, const auto& after) {
      const auto* request = server.current_request();
      if (request != nullptr) writes.push_back(plan::planned_write(*request, resource, before, after));
    });
    crash_manager();
    environment = variables;
    start_manager();
    pass(1min);
    server.after_write({});
    return writes;
  }
};

// The sorted texts of the writes, without times and the random names of pods.
std::vector<std::string> texts(const std::vector<PlannedWrite>& writes) {
  std::vector<std::string> lines;
  for (const auto& write : writes) {
    auto line = write.verb + " " + write.resource.plural + "/" + write.subresource + " " + write.key.text();
    for (const auto& change : write.changes) {
      const bool is_by_chance =
          change.path.starts_with("/status/nodes/") || change.path.ends_with("/lastTransitionTime");
      line += " " + change.path;
      const bool is_whole_condition =
          change.path.starts_with("/status/conditions/") && (!change.before || !change.after);
      if (!is_by_chance && !is_whole_condition) line += "=" + change.after.value_or("gone");
    }
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

TEST_CASE("a plan for the running version is empty") {
  FiveMemcacheds cluster;
  const auto plan = cluster.planned({});
  CHECK(plan.has_settled);
  CHECK(texts(plan.writes).empty());
  CHECK(plan.events.empty());
  CHECK(plan.errors.empty());
}

TEST_CASE("M4: a plan for another image has the writes of its rollout, and sends only reads") {
  FiveMemcacheds cluster;
  const auto plan = cluster.planned({{kImage, "memcached:9"}});
  CHECK(plan.has_settled);
  const auto asked = cluster.server.count([](const auto& request) { return request.user == kPlanner; });
  const auto asked_to_read = cluster.server.count([](const auto& request) {
    return request.user == kPlanner && (request.verb == kube::Verb::kGet || request.verb == kube::Verb::kList);
  });
  CHECK(asked > 0);
  CHECK(asked == asked_to_read);

  const auto planned = texts(plan.writes);
  CHECK(planned.size() >= 10);  // the Deployment and the status of each Memcached
  CHECK(planned == texts(cluster.written({{kImage, "memcached:9"}})));
}

}  // namespace
}  // namespace keelson::testing
