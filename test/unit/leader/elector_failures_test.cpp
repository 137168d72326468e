// Electors whose requests fail, hang or lose their replies, and the effect on leadership.
#include "keelson/detail/leader/elector.hpp"

#include <stdexcept>

#include "test/unit/leader/candidates.hpp"

namespace keelson::leader {
namespace {

using namespace std::chrono_literals;
using testing::CandidatesOnLease;
using testing::Fate;
using testing::State;

TEST_CASE("a standby acquires the lease of a dead leader one lease duration after its last renewal, and not before") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.competing("two");
  world.pass(19s);

  one->lock.decide = [](const std::string&) { return Fate::kHangs; };
  auto died = world.loop.clock().now();
  auto took = world.pass_until([&] { return two->leads(); });

  CHECK(took > 13s);
  CHECK(took <= 15s + 10ms);
  CHECK(one->elector->state() == State::kLost);
  CHECK(one->lost_at - died <= 10s);
  CHECK(one->lost_at + 5s <= two->led_from);
  world.stop(*one);
  world.stop(*two);
}

TEST_CASE("the elector reopens a watch that reports nothing, and does not rely on it") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.competing("two");
  two->lock.is_deaf = true;

  world.pass(60s);

  CHECK_FALSE(two->leads());
  CHECK(two->lock.watches > 1);
  world.stop(*one);
  world.stop(*two);
}

TEST_CASE("a lease with a duration of decades does not keep a dead watch open") {
  CandidatesOnLease world;
  Record claims;
  claims.holder = "go";
  claims.duration_seconds = 2'000'000'000;
  world.stored.set(claims);
  auto two = world.competing("two");
  two->lock.is_deaf = true;

  world.pass(15min);

  CHECK_FALSE(two->leads());
  CHECK(two->lock.watches > 2);
  world.stop(*two);
}

TEST_CASE("the elector reopens a watch immediately if it lasted for a retry period, and otherwise after a pause") {
  struct Row {
    async::Duration lasts;
    int least, most;
  };
  for (const auto& row : {Row{2s, 29, 31}, Row{1999ms, 9, 16}}) {
    CandidatesOnLease world;
    auto one = world.competing("one");
    auto two = world.candidate("two");
    two->lock.watch_ends = true;
    two->lock.latency = row.lasts;
    world.start(*two);

    world.pass(60s);

    CHECK(two->lock.watches >= row.least);
    CHECK(two->lock.watches <= row.most);
    world.stop(*one);
    world.stop(*two);
  }
}

TEST_CASE("a standby whose requests fail when the lease has expired tries again each retry period, not immediately") {
  CandidatesOnLease world;
  world.held_by_dead();
  auto two = world.competing("two");
  std::size_t asked = 0;
  two->lock.decide = [&](const std::string&) { return ++asked < 1000 ? Fate::kLost : Fate::kHangs; };

  world.pass(75s);

  CHECK(asked > 12);
  CHECK(asked < 80);
  CHECK_FALSE(two->leads());
  world.stop(*two);
}

TEST_CASE("a leader that cannot renew logs it once, tries until its deadline, and continues when a renewal succeeds") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  one->lock.decide = [](const std::string&) { return Fate::kLost; };

  world.pass(6s);
  one->lock.decide = nullptr;
  world.pass(60s);

  CHECK(one->leads());
  CHECK(one->errors() == 1);
  world.stop(*one);
}

TEST_CASE("a standby logs each period without access to the lease once") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  auto two = world.candidate("two");
  two->lock.decide = [](const std::string& what) { return what == "watch" ? Fate::kRejected : Fate::kProceeds; };
  world.start(*two);
  for (int outage = 0; outage < 2; ++outage) {
    world.pass(30s);
    two->lock.decide = [](const std::string&) { return Fate::kLost; };
    world.pass(30s);
    two->lock.decide = [](const std::string& what) { return what == "watch" ? Fate::kRejected : Fate::kProceeds; };
  }

  CHECK(two->errors() == 2);
  world.stop(*one);
  world.stop(*two);
}

TEST_CASE("an elector that stops during its first write releases the lease that the write may have acquired") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  one->lock.decide = [](const std::string& what) {
    return what == "create" ? Fate::kReplyLost : what == "watch" ? Fate::kHangs : Fate::kProceeds;
  };
  world.start(*one);
  world.pass(100ms);
  REQUIRE_FALSE(one->leads());
  REQUIRE(world.stored.record->holder == "one");

  world.stop(*one);

  CHECK(world.stored.record->holder.empty());
}

TEST_CASE("the watch reports a lease that was acquired by a request whose reply was lost, and the elector keeps it") {
  CandidatesOnLease world;
  auto one = world.candidate("one");
  one->lock.decide = [](const std::string& what) { return what == "create" ? Fate::kReplyLost : Fate::kProceeds; };
  world.start(*one);

  world.pass(100ms);

  CHECK(one->leads());
  CHECK(world.stored.record->transitions == 0);
  world.stop(*one);
}

TEST_CASE("an elector that fails with an exception has lost leadership, because nothing renews the lease any more") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  one->lock.decide = [](const std::string&) -> Fate { throw std::runtime_error("broken"); };

  world.pass(2s);

  CHECK(one->elector->state() == State::kLost);
  CHECK_THROWS_AS(world.stop(*one), std::runtime_error);
}

TEST_CASE("the status has the error of the lease while it cannot be read or written, and not longer") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  CHECK(one->elector->status().problem == "");
  one->lock.decide = [](const std::string& what) { return what == "update" ? Fate::kRejected : Fate::kProceeds; };
  world.pass(3s);
  CHECK(one->elector->status().problem != "");
  one->lock.decide = {};
  world.pass(3s);
  CHECK(one->elector->status().problem == "");

  auto two = world.candidate("two");
  two->lock.decide = [](const std::string&) { return Fate::kRejected; };
  world.start(*two);
  world.pass(3s);
  CHECK(two->elector->status().problem != "");
  two->lock.decide = {};
  world.pass(10s);
  CHECK(two->elector->status().problem == "");

  // It may not write while another replica holds the lease, so an error of an earlier write is over.
  one->lock.decide = [](const std::string&) { return Fate::kHangs; };
  two->lock.decide = [](const std::string& what) { return what == "update" ? Fate::kRejected : Fate::kProceeds; };
  world.pass(30s);
  CHECK(two->elector->status().problem != "");
  auto three = world.competing("three");
  world.pass(30s);
  CHECK(three->leads());
  CHECK(two->elector->status().problem == "");
  world.stop(*one);
  world.stop(*two);
  world.stop(*three);
}

TEST_CASE("a release that fails is tried until the renew deadline, and then the lease expires") {
  CandidatesOnLease world;
  auto one = world.competing("one");
  one->lock.decide = [](const std::string&) { return Fate::kHangs; };
  auto began = world.loop.clock().now();

  world.stop(*one);

  CHECK(world.loop.clock().now() - began == 10s);
  CHECK(one->logged("Failed to release the lease in time; it expires by itself"));
}

TEST_CASE(
    "whichever request fails, two replicas never lead at once, one eventually leads, and the release is written") {
  for (auto fate : {Fate::kLost, Fate::kReplyLost, Fate::kHangs, Fate::kRejected}) {
    for (int step = 0; step < 12; ++step) {
      INFO("step " << step << " of fate " << static_cast<int>(fate));
      CandidatesOnLease world;
      world.held_by_dead(3);
      auto one = world.candidate("one");
      auto two = world.candidate("two");
      int asked = 0;
      auto decide = [&asked, step, fate](const std::string&) { return asked++ == step ? fate : Fate::kProceeds; };
      one->lock.decide = decide;
      two->lock.decide = decide;
      world.start(*one);
      world.start(*two);

      auto took = world.pass_until([&] { return one->leads() || two->leads(); });

      CHECK(took <= 3s + 2 * 4400ms + 5s);
      for (int i = 0; i < 300; ++i) {
        world.pass(100ms);
        CHECK_FALSE((one->elector->fence().is_open() && two->elector->fence().is_open()));
      }
      CHECK(one->leads() != two->leads());
      world.stop(*one);
      world.stop(*two);
      CHECK(world.stored.record->holder.empty());
    }
  }
}

}  // namespace
}  // namespace keelson::leader
