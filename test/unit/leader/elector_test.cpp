// Electors on one lease: which one leads when, and what it writes.
#include "keelson/detail/leader/elector.hpp"

#include "test/unit/leader/candidates.hpp"

namespace keelson::leader {
namespace {

using namespace std::chrono_literals;
using testing::CandidatesOnLease;
using testing::Fate;
using testing::State;

TEST_CASE("the first elector creates the lease, leads, and renews it every retry period") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  world.start(*one);
  world.pass(1ms);

  REQUIRE(one->leads());
  CHECK(one->elector->fence().is_open());
  CHECK(world.stored.record->holder == "one");
  CHECK(world.stored.record->transitions == 0);
  CHECK(one->logged("Attempting to acquire leader lease..."));
  CHECK(one->logged("Successfully acquired lease"));
  CHECK(one->lock.events == std::vector<std::string>{"one became leader"});
  CHECK(one->registry.text().find("leader_election_master_status{name=\"lease\"} 1\n") != std::string::npos);
  auto acquired = *world.stored.record;
  world.pass(60s);
  CHECK(std::ranges::count(one->lock.calls, "update") == 30);
  CHECK(std::ranges::count(one->lock.calls, "get") == 1);
  CHECK(world.stored.record->acquire_time == acquired.acquire_time);
  CHECK(world.stored.record->renew_time != acquired.renew_time);
  world.stop(*one);
}

TEST_CASE("the status of an elector names the holder, and since when this replica leads or stands by") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  auto two = world.candidate("two");
  CHECK_FALSE(one->elector->status().observed);
  world.start(*one);
  world.pass(1s);
  world.start(*two);
  world.pass(60s);

  const auto leader = one->elector->status();
  CHECK(leader.state == State::kLeading);
  CHECK(leader.identity == "one");
  CHECK(leader.in_state == 61s);
  CHECK(leader.unchanged <= 2s);
  const auto standby = two->elector->status();
  CHECK(standby.state == State::kStandby);
  CHECK(standby.identity == "two");
  CHECK(standby.in_state == 60s);
  REQUIRE(standby.observed);
  CHECK(standby.observed->holder == "one");
  world.stop(*two);
  world.stop(*one);
}

TEST_CASE("stop releases the lease and leaves the fence closed") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  world.start(*one);
  world.pass(5s);

  world.stop(*one);

  CHECK(world.stored.record->holder.empty());
  CHECK(world.stored.record->duration_seconds == 1);
  CHECK(one->lock.events.back() == "one stopped leading");
  CHECK_FALSE(one->elector->fence().is_open());
  CHECK(one->registry.text().find("leader_election_master_status{name=\"lease\"} 0\n") != std::string::npos);
  CHECK(one->errors() == 0);
}

TEST_CASE("one of two standbys acquires a released lease immediately, and neither logs an error") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  auto two = world.candidate("two");
  auto three = world.candidate("three");
  for (auto* who : {one.get(), two.get(), three.get()}) {
    world.start(*who);
    who->lock.latency = 3ms;
    world.pass(1s);
  }
  REQUIRE(one->leads());

  world.stop(*one);
  auto took = world.pass_until([&] { return two->leads() || three->leads(); });

  CHECK(took < 100ms);
  world.pass(60s);
  CHECK(two->leads() != three->leads());
  CHECK(world.stored.record->transitions == 1);
  CHECK(two->errors() + three->errors() == 0);
  world.stop(*two);
  world.stop(*three);
}

TEST_CASE("a standby without a watch polls, and still acquires the lease") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  auto two = world.candidate("two");
  two->lock.decide = [](const std::string& what) { return what == "watch" ? Fate::kRejected : Fate::kProceeds; };
  world.start(*one);
  world.pass(1s);
  world.start(*two);
  world.pass(60s);
  auto asked = std::ranges::count(two->lock.calls, "get");
  CHECK(asked >= 13);  // 60 s in pauses of at most 4.4 s
  CHECK(asked <= 31);

  world.stop(*one);
  auto took = world.pass_until([&] { return two->leads(); });

  CHECK(took <= 4400ms + 10ms);
  CHECK(two->logged("Unable to watch the lease, polling it instead"));
  CHECK(two->logged_fields("Unable to watch the lease, polling it instead").find("grant the verb watch") !=
        std::string::npos);
  CHECK(two->errors() == 0);
  world.stop(*two);
}

TEST_CASE("a standby whose watch fails for a reason without a remedy logs no empty remedy") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  auto two = world.candidate("two");
  two->lock.decide = [](const std::string& what) { return what == "watch" ? Fate::kLost : Fate::kProceeds; };
  world.start(*one);
  world.start(*two);
  world.pass(10s);

  const auto fields = two->logged_fields("Unable to watch the lease, polling it instead");
  CHECK(fields.find("connection reset by peer") != std::string::npos);
  CHECK(fields.find("remedy") == std::string::npos);
  world.stop(*two);
  world.stop(*one);
}

TEST_CASE("a standby with a watch sends no requests while the leader renews") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.competing("two");
  two->lock.calls.clear();

  world.pass(10min);

  CHECK(two->lock.calls.empty());
  world.stop(*one);
  world.stop(*two);
}

TEST_CASE("the holder creates a deleted lease again, and no standby acquires it meanwhile") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.competing("two");
  world.pass(500ms);

  world.stored.set(std::nullopt);
  world.pass(10s);

  CHECK(one->leads());
  CHECK_FALSE(two->leads());
  CHECK(world.stored.record->holder == "one");
  world.stop(*one);
  world.stop(*two);
}

TEST_CASE("P2: a leader that reads another holder in its lease loses leadership immediately") {
  CandidatesOnLease world;
  auto one = world.competing("one");

  world.stored.set(Record{"usurper", 15, "now", "now", 1});
  world.pass(2s);

  CHECK(one->elector->state() == State::kLost);
  CHECK_FALSE(one->elector->fence().is_open());
  CHECK(one->logged("Failed to renew lease"));
  world.stop(*one);
  CHECK(world.stored.record->holder == "usurper");
}

TEST_CASE("a write of another client to the lease costs the leader one read, and is counted") {
  CandidatesOnLease world;
  auto one = world.competing("one");

  ++world.stored.version;  // a label
  world.pass(10s);

  CHECK(one->leads());
  CHECK(one->registry.text().find("leader_election_slowpath_total{name=\"lease\"} 1\n") != std::string::npos);
  world.stop(*one);
}

TEST_CASE("the fence closes a renew deadline after the last successful renewal was sent, whatever happens later") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  one->lock.latency = 400ms;
  world.start(*one);
  world.pass(10s);
  async::TimePoint sent{};
  one->lock.decide = [&](const std::string&) {
    sent = world.loop.clock().now() - one->lock.latency;
    one->lock.decide = [](const std::string&) { return Fate::kLost; };
    return Fate::kProceeds;
  };

  world.pass_until([&] { return !one->elector->fence().is_open(); });

  auto open_for = world.loop.clock().now() - sent;
  CHECK(open_for >= 10s);
  CHECK(open_for <= 10s + 10ms);
  world.pass(1ms);
  CHECK(one->elector->state() == State::kLost);
  world.stop(*one);
}

TEST_CASE("a leader records its end, unless it was suspended so long that another replica may lead") {
  for (const auto& [suspended, events] : {std::pair{12s, 2}, std::pair{16s, 1}}) {
    INFO(suspended.count());
    CandidatesOnLease world;
    auto one = world.competing("one");

    world.loop.clock().advance(suspended);
    world.pass(1ms);

    CHECK(one->elector->state() == State::kLost);
    CHECK(one->lock.events.size() == static_cast<std::size_t>(events));
    world.stop(*one);
  }
}

TEST_CASE("an elector that forgoes the release lets the lease expire") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.competing("two");

  one->elector->forgo_release();
  world.stop(*one);
  auto took = world.pass_until([&] { return two->leads(); });

  CHECK_FALSE(one->elector->fence().is_open());
  CHECK(took > 13s);
  CHECK(took <= 15s + 10ms);
  world.stop(*two);
}

TEST_CASE("a standby that stops does not change the lease and sends no requests") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.competing("two");
  two->lock.calls.clear();

  world.stop(*two);

  CHECK(two->lock.calls.empty());
  CHECK(world.stored.record->holder == "one");
  world.stop(*one);
}

TEST_CASE("an elector that was never started can be stopped") {
  CandidatesOnLease world;
  auto one = world.candidate("one");

  world.stop(*one);

  CHECK(one->lock.calls.empty());
}

}  // namespace
}  // namespace keelson::leader
