// A month of many CronJobs, a crash at a random write each hour: every slot that the policy allows runs exactly once.
//
// `scripts/sim` runs it at full size with many seeds; the normal tests include a small one.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>

#include "test/sim/cronjob_world.hpp"
#include "test/sim/seeds.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;
using sandbox::WriteFate;

struct Size {
  std::uint64_t first_seed;
  std::uint64_t seeds;
  int cronjobs;
  int days;
};

Size size_from_environment() {
  return {number_of("KEELSON_SIM_FROM", 1), number_of("KEELSON_SIM_SEEDS", 2),
          static_cast<int>(number_of("KEELSON_SIM_CRONJOBS", 30)), static_cast<int>(number_of("KEELSON_SIM_DAYS", 6))};
}

sandbox::ApiServerOptions options_of_a_month() {
  sandbox::ApiServerOptions options;
  options.job_shortest = 5s;
  options.job_longest = 40min;
  options.job_failure = 0.1;
  options.bookmark_period = 10min;
  return options;
}

std::string minute(base::Random& chance) { return std::to_string(chance.between(0, 59)); }

// On average four slots a day.
std::string schedule_of(base::Random& chance) {
  auto hour = [&chance](std::int64_t last) { return std::to_string(chance.between(0, last)); };
  switch (chance.between(0, 9)) {
    case 0:
      return minute(chance) + " " + hour(23) + " * * *";
    case 1:
      return minute(chance) + " " + hour(23) + " * * 1-5";
    case 2:
      return minute(chance) + "," + minute(chance) + " " + hour(23) + " */2 * *";
    case 3:
      return "@every " + std::to_string(chance.between(200, 500)) + "m";
    case 4:
      return minute(chance) + " 8-20/2 * * *";
    case 5:
      return "*/20 " + hour(22) + ",23 * * *";
    default:
      return minute(chance) + " " + hour(5) + "/6 * * *";
  }
}

std::string spec_of(base::Random& chance) {
  static constexpr const char* kPolicies[] = {"Allow", "Allow", "Forbid", "Replace"};
  static constexpr const char* kZones[] = {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"};
  auto spec = R"("schedule":")" + schedule_of(chance) + R"(","concurrencyPolicy":")" + kPolicies[chance.between(0, 3)] +
              R"(","timeZone":")" + kZones[chance.between(0, 3)] + "\"";
  auto number = [&](const char* name, std::int64_t low, std::int64_t high) {
    spec += ",\"" + std::string(name) + "\":" + std::to_string(chance.between(low, high));
  };
  number("successfulJobsHistoryLimit", 0, 3);
  number("failedJobsHistoryLimit", 0, 2);
  if (chance.unit() < 0.3) number("startingDeadlineSeconds", 30, 3000);
  if (chance.unit() < 0.03) spec += R"(,"suspend":true)";
  return spec;
}

// An hour in which the manager crashes at a random write and is down for a while.
class CrashingHours {
 public:
  CrashingHours(CronJobWorld& world, base::Random& chance, int writes_an_hour)
      : world_(world), chance_(chance), writes_an_hour_(writes_an_hour) {
    world_.server.before_write([this](const RequestInfo& request) { return fate_of(request); });
  }
  CrashingHours(const CrashingHours&) = delete;
  CrashingHours& operator=(const CrashingHours&) = delete;
  ~CrashingHours() { world_.server.before_write({}); }

  void pass_one() {
    auto begun = world_.loop.clock().now();
    left_ = static_cast<int>(chance_.between(1, writes_an_hour_));
    if (world_.pass_until(crash_, 1h)) {
      world_.crash_manager();
      world_.pass(std::chrono::seconds(chance_.between(0, chance_.unit() < 0.2 ? 1800 : 120)));
      world_.start_manager();
      ++crashes;
    }
    left_ = 0;
    auto passed = world_.loop.clock().now() - begun;
    if (passed < 1h) world_.pass(1h - passed);
    world_.server.clear_log();
  }

  int crashes = 0;

 private:
  WriteFate fate_of(const RequestInfo& request) {
    if (request.user != "manager" || left_ == 0 || --left_ > 0) return WriteFate::kProceeds;
    crash_.notify_all();
    return chance_.unit() < 0.5 ? WriteFate::kLost : WriteFate::kReplyLost;
  }

  CronJobWorld& world_;
  base::Random& chance_;
  int writes_an_hour_;
  int left_ = 0;
  async::Notify crash_;
};

void run(std::uint64_t seed, const Size& size) {
  CronJobWorld world(seed, options_of_a_month());
  world.sink.keep_nothing();
  base::Random chance(seed * 7919 + 1);
  for (int i = 0; i < size.cronjobs; ++i) world.create_cronjob("job-" + std::to_string(i), spec_of(chance));
  // The server never deletes Events, and those of a month would fill the memory. This test does not read them.
  auto no_events = world.server.forbid([](const RequestInfo& request) {
    return request.resource == kube::events() || request.resource == kube::core_events();
  });
  world.start_manager();
  int crashes = 0;
  {
    // The writes of a run: a Job, two statuses, its deletion, and a few Events, which are rejected.
    CrashingHours hours(world, chance, std::max(2, size.cronjobs * 4 * 5 / 24));
    for (int hour = 0; hour < size.days * 24; ++hour) hours.pass_one();
    crashes = hours.crashes;
  }
  auto faults = world.ledger.faults(world.loop.clock().wall_now());
  for (const auto& fault : faults) FAIL_CHECK(fault);
  std::printf("seed %llu: %zu runs, %zu slots, %d crashes, %zu faults\n", static_cast<unsigned long long>(seed),
              world.ledger.runs(), world.ledger.required(), crashes, faults.size());
  std::fflush(stdout);
  CHECK(crashes > size.days);
  CHECK(world.ledger.required() > static_cast<std::size_t>(size.cronjobs * size.days));
}

TEST_CASE("C21, K3: every slot that the policy allows runs exactly once, through a crash an hour") {
  auto size = size_from_environment();
  for (auto seed = size.first_seed; seed < size.first_seed + size.seeds; ++seed) {
    INFO("seed " << seed << ": scripts/sim --from " << seed << " --seeds 1");
    run(seed, size);
  }
}

}  // namespace
}  // namespace keelson::testing
