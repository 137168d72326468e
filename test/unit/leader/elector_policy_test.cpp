// The decisions of an elector about an observed lease: when to acquire it, what to write, how long leadership lasts.
#include "src/leader/elector_policy.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::leader {
namespace {

using namespace std::chrono_literals;

constexpr async::TimePoint kNow{1h};
constexpr async::WallTime kWall{std::chrono::sys_days(std::chrono::year(2026) / 1 / 2)};

Record held_by(std::string holder, std::int64_t seconds = 15) {
  return {std::move(holder), seconds, "2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:02.000003Z", 7};
}

ElectorPolicy policy() { return {"me", Timing{}}; }

TEST_CASE("a replica may acquire a lease that has no holder, or that has not changed for its own duration") {
  struct Row {
    const char* what;
    std::optional<Record> seen;
    async::Duration later;
    bool may_take;
  };
  for (const auto& row : {
           Row{"the lease does not exist", std::nullopt, 0s, true},
           Row{"it was released", held_by("", 1), 0s, true},
           Row{"this replica holds it", held_by("me"), 0s, true},
           Row{"another replica holds it", held_by("other"), 0s, false},
           Row{"another replica holds it, just before its expiry", held_by("other"), 15s - 1ns, false},
           Row{"another replica held it until its expiry", held_by("other"), 15s, true},
           Row{"the duration in the lease counts, a long one", held_by("other", 60), 59s, false},
           Row{"the duration in the lease counts, a short one", held_by("other", 3), 3s, true},
           Row{"a lease without a duration has expired", held_by("other", 0), 0s, true},
       }) {
    auto elector = policy();
    elector.saw(row.seen, kNow);

    INFO(row.what);
    CHECK(elector.may_take(kNow + row.later) == row.may_take);
  }
}

TEST_CASE("an unchanged observation does not restart the expiry of a lease, any change does") {
  auto elector = policy();
  elector.saw(held_by("other"), kNow);

  elector.saw(held_by("other"), kNow + 10s);
  CHECK(elector.may_take(kNow + 15s));

  auto renewed = held_by("other");
  renewed.renew_time = "2026-01-01T00:00:02.000004Z";
  elector.saw(renewed, kNow + 10s);
  CHECK_FALSE(elector.may_take(kNow + 24s));
  CHECK(elector.may_take(kNow + 25s));
  CHECK(elector.runs_out() == kNow + 25s);
}

TEST_CASE("the times in a lease are never compared with the local clock") {
  auto elector = policy();
  auto ancient = held_by("other");
  ancient.renew_time = "1970-01-01T00:00:00.000000Z";

  elector.saw(ancient, kNow);

  CHECK_FALSE(elector.may_take(kNow));
}

TEST_CASE("a deleted lease counts as held until it would have expired") {
  auto elector = policy();
  elector.saw(held_by("other"), kNow);

  elector.saw(std::nullopt, kNow + 5s);

  CHECK_FALSE(elector.may_take(kNow + 5s));
  CHECK(elector.may_take(kNow + 15s));
}

TEST_CASE("a late reply delays a takeover and never advances it") {
  auto elector = policy();
  auto renewed = held_by("other");
  renewed.renew_time = "2026-01-01T00:00:04.000003Z";
  elector.saw(renewed, kNow);

  elector.saw(held_by("other"), kNow + 1s);

  CHECK_FALSE(elector.may_take(kNow + 15s));
}

TEST_CASE(
    "an acquisition of the lease increments its transitions and sets the acquire time, and a renewal changes neither") {
  auto elector = policy();
  CHECK(elector.wanted(kWall) == Record{"me", 15, "2026-01-02T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z", 0});

  elector.saw(held_by("other"), kNow);
  CHECK(elector.wanted(kWall) == Record{"me", 15, "2026-01-02T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z", 8});

  elector.saw(held_by(""), kNow);
  CHECK(elector.wanted(kWall).transitions == 8);

  elector.saw(held_by("me"), kNow);
  CHECK(elector.wanted(kWall) == Record{"me", 15, "2026-01-01T00:00:00.000001Z", "2026-01-02T00:00:00.000000Z", 7});
}

TEST_CASE("a duration is written in whole seconds, rounded up") {
  ElectorPolicy elector("me", {.lease_duration = 2500ms, .renew_deadline = 2400ms, .retry_period = 1s});

  CHECK(elector.wanted(kWall).duration_seconds == 3);
}

TEST_CASE("a released lease keeps its transitions and has a duration of a second") {
  auto elector = policy();
  elector.saw(held_by("me"), kNow);

  CHECK(elector.released(kWall) == Record{"", 1, "2026-01-02T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z", 7});
}

TEST_CASE("leadership lasts for the renew deadline from the sending of the last renewal") {
  auto elector = policy();
  CHECK(elector.lead_ends() < kNow);

  elector.wrote(held_by("me"), kNow, kNow + 4s);
  CHECK(elector.lead_ends() == kNow + 10s);

  elector.saw(held_by("me"), kNow + 5s);
  CHECK(elector.lead_ends() == kNow + 10s);

  elector.wrote(held_by(""), kNow + 6s, kNow + 6s);
  CHECK(elector.lead_ends() == kNow + 10s);
}

TEST_CASE("a standby that observed the lease never acquires it before the leadership has ended") {
  for (auto sent_before : {0ms, 300ms, 5000ms}) {
    auto leader = policy();
    ElectorPolicy rival("rival", Timing{});
    leader.wrote(held_by("me"), kNow - sent_before, kNow);
    rival.saw(held_by("me"), kNow);

    CHECK(leader.lead_ends() < *rival.runs_out());
  }
}

TEST_CASE("invalid durations are rejected with client-go's texts and a remedy") {
  struct Row {
    Timing timing;
    std::string rejection;
  };
  const std::string raise = "raise --leader-elect-lease-duration or lower --leader-elect-renew-deadline (they are ";
  for (const auto& row : {
           Row{{10s, 10s, 2s}, "leaseDuration must be greater than renewDeadline: " + raise + "10s, 10s and 2s)"},
           Row{{15s, 2400ms, 2s},
               "renewDeadline must be greater than retryPeriod*JitterFactor: raise --leader-elect-renew-deadline or "
               "lower --leader-elect-retry-period, which counts 1.2 times (they are 15s, 2.4s and 2s)"},
           Row{{0s, -1s, -2s},
               "leaseDuration must be greater than zero: set a duration such as 15s (they are 0s, -1s and -2s)"},
           Row{{15s, 0s, -2s},
               "renewDeadline must be greater than zero: set a duration such as 10s (they are 15s, 0s and -2s)"},
           Row{{15s, 10s, 0s},
               "retryPeriod must be greater than zero: set a duration such as 2s (they are 15s, 10s and 0s)"},
       }) {
    auto valid = validate(row.timing);

    REQUIRE_FALSE(valid);
    CHECK(valid.error().message() == row.rejection);
  }
  CHECK(validate({}));
  CHECK(validate({3s, 2s, 1s}));
}

TEST_CASE("the timeout of a request is half the renew deadline, but at least a second") {
  CHECK(Timing{}.request_timeout() == 5s);
  CHECK(Timing{3s, 1500ms, 1s}.request_timeout() == 1s);
}

TEST_CASE("a write is discarded after half of the time between the renew deadline and the lease duration") {
  CHECK(Timing{}.delivery_timeout() == 2500ms);
  CHECK(Timing{4s, 3s, 1s}.delivery_timeout() == 500ms);
  CHECK(Timing{3'000'000'001ns, 3s, 1s}.delivery_timeout() == 1ms);
}

TEST_CASE("each process has a different identity") {
  base::Random random(1);

  auto first = make_identity(random);

  CHECK(first.find('_') != std::string::npos);
  CHECK(make_identity(random) != first);
}

}  // namespace
}  // namespace keelson::leader
