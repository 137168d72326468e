// The decisions of the queue, a transition per case.
#include "src/queue/queue_steps.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <random>
#include <set>

#include "keelson/base/limits.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using queue::QueueSteps;

async::TimePoint at(async::Duration since_start) { return async::TimePoint(since_start); }

std::string pick_key(QueueSteps& steps, async::TimePoint now = at(0s)) {
  auto item = steps.pick(now);
  return item ? item->key : "";
}

// Picks and finishes all keys, and returns them in their order.
std::vector<std::string> drain(QueueSteps& steps) {
  std::vector<std::string> keys;
  while (auto item = steps.pick(at(0s))) {
    keys.push_back(item->key);
    steps.done(item->key, at(0s));
  }
  return keys;
}

}  // namespace

TEST_CASE("keys of the same priority are picked in the order in which they were added") {
  QueueSteps steps{{}};
  for (const char* key : {"b", "a", "c"}) steps.add(key, {}, at(0s));

  auto keys = drain(steps);

  CHECK(keys == std::vector<std::string>{"b", "a", "c"});
  CHECK(steps.keys() == 0);
}

TEST_CASE("a key added twice is one item with the higher priority and both reasons") {
  QueueSteps steps{{}};
  steps.add("a", {.priority = -100, .reason = "Memcached added"}, at(1s));

  CHECK_FALSE(steps.add("a", {.priority = 0, .reason = "Deployment updated"}, at(2s)));

  auto item = steps.pick(at(4s));
  REQUIRE(item);
  CHECK(item->priority == 0);
  CHECK(item->reasons == std::vector<std::string>{"Memcached added", "Deployment updated"});
  CHECK(item->waited == 3s);
  CHECK_FALSE(steps.pick(at(4s)));
}

TEST_CASE("a lower priority added later does not lower a queued key") {
  QueueSteps steps{{}};
  steps.add("a", {.priority = 5, .reason = ""}, at(0s));
  steps.add("a", {.priority = -100, .reason = ""}, at(0s));

  CHECK(steps.pick(at(0s))->priority == 5);
}

TEST_CASE("a key with a raised priority moves to the end of its new class") {
  QueueSteps steps{{}};
  steps.add("low", {.priority = -100, .reason = ""}, at(0s));
  steps.add("first", {}, at(0s));
  steps.add("low", {}, at(0s));
  steps.add("last", {}, at(0s));

  CHECK(drain(steps) == std::vector<std::string>{"first", "low", "last"});
}

TEST_CASE("reasons are distinct and limited") {
  QueueSteps steps{{}};
  for (int i = 0; i < 20; ++i) steps.add("a", {.priority = 0, .reason = "reason " + std::to_string(i / 2)}, at(0s));

  auto item = steps.pick(at(0s));

  CHECK(item->reasons.size() == limits::kReasonsPerKey);
  CHECK(std::set<std::string>(item->reasons.begin(), item->reasons.end()).size() == limits::kReasonsPerKey);
}

TEST_CASE("a key added while processing is requeued once") {
  QueueSteps steps{{}};
  steps.add("a", {}, at(0s));
  REQUIRE(pick_key(steps) == "a");

  CHECK_FALSE(steps.add("a", {}, at(1s)));
  CHECK_FALSE(steps.add("a", {}, at(2s)));
  CHECK_FALSE(steps.pick(at(2s)));
  CHECK(steps.ready() == 0);
  auto done = steps.done("a", at(3s));

  CHECK(done.available);
  CHECK(done.worked == 3s);
  CHECK(steps.pick(at(3s))->waited == 2s);
  CHECK_FALSE(steps.done("a", at(3s)).available);
  CHECK(steps.keys() == 0);
}

TEST_CASE("a key whose delay ends while it is processed becomes ready after done") {
  QueueSteps steps{{}};
  steps.add("a", {}, at(0s));
  REQUIRE(pick_key(steps) == "a");
  steps.add_at("a", {}, at(1s));

  CHECK(steps.release_due(at(2s), 10) == 0);
  CHECK_FALSE(steps.pick(at(2s)));

  CHECK(steps.done("a", at(3s)).available);
  CHECK(pick_key(steps, at(3s)) == "a");
}

TEST_CASE("a second delay counts only if it ends earlier") {
  QueueSteps steps{{}};
  steps.add_at("a", {}, at(10s));

  steps.add_at("a", {}, at(20s));
  CHECK(steps.next_due() == at(10s));
  steps.add_at("a", {}, at(5s));
  CHECK(steps.next_due() == at(5s));
  CHECK(steps.waiting() == 1);

  CHECK(steps.release_due(at(4s), 10) == 0);
  CHECK(steps.release_due(at(5s), 10) == 1);
  CHECK(pick_key(steps, at(5s)) == "a");
}

TEST_CASE("an immediate add ends the delay of a waiting key") {
  QueueSteps steps{{}};
  steps.add_at("a", {.priority = 3, .reason = "requeue after 10s"}, at(10s));

  CHECK(steps.add("a", {.priority = 0, .reason = "Memcached updated"}, at(1s)));

  CHECK(steps.waiting() == 0);
  auto item = steps.pick(at(1s));
  CHECK(item->priority == 3);
  CHECK(item->waited == 0s);
  CHECK(steps.release_due(at(20s), 10) == 0);
}

TEST_CASE("a delay for a key that is ready changes nothing but its priority") {
  QueueSteps steps{{}};
  steps.add("a", {}, at(0s));

  steps.add_at("a", {.priority = 7, .reason = ""}, at(10s));

  CHECK(steps.waiting() == 0);
  CHECK(steps.pick(at(0s))->priority == 7);
}

TEST_CASE("many delays end in the order of their times, in slices") {
  QueueSteps steps{{}};
  std::mt19937 engine(7);
  std::vector<int> times(500);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<int>(i);
  std::shuffle(times.begin(), times.end(), engine);
  for (int time : times) steps.add_at("k" + std::to_string(time), {}, at(1000s));
  for (int time : times) steps.add_at("k" + std::to_string(time), {}, at(std::chrono::seconds(time)));

  CHECK(steps.release_due(at(1000s), 100) == 100);
  CHECK(steps.next_due() == at(100s));
  CHECK(steps.release_due(at(1000s), 1000) == 400);

  auto keys = drain(steps);
  REQUIRE(keys.size() == 500);
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK(keys[i] == "k" + std::to_string(i));
}

TEST_CASE("backoff doubles from 5 ms to 1000 s for each key, until the key is forgotten") {
  QueueSteps steps{{}};

  std::vector<async::Duration> delays;
  for (int i = 0; i < 30; ++i) delays.push_back(steps.next_delay("a"));

  CHECK(delays[0] == 5ms);
  CHECK(delays[1] == 10ms);
  CHECK(delays[2] == 20ms);
  CHECK(delays[17] == 655'360ms);
  CHECK(delays[18] == 1000s);
  CHECK(delays[29] == 1000s);
  CHECK(steps.retries("a") == 30);
  CHECK(steps.next_delay("b") == 5ms);
  steps.forget("a");
  CHECK(steps.retries("a") == 0);
  CHECK(steps.next_delay("a") == 5ms);
}

TEST_CASE("a key that is forgotten and done leaves no entry") {
  QueueSteps steps{{}};
  steps.add("a", {}, at(0s));
  REQUIRE(pick_key(steps) == "a");
  (void)steps.next_delay("a");
  steps.done("a", at(0s));
  CHECK(steps.keys() == 1);

  steps.forget("a");

  CHECK(steps.keys() == 0);
}

TEST_CASE("a flood of fresh events leaves every tenth pick to a resync") {
  QueueSteps steps{{}};
  for (int i = 0; i < 100; ++i) steps.add("old" + std::to_string(i), {.priority = -100, .reason = ""}, at(0s));
  int fresh = 0;
  int resynced = 0;
  steps.add("fresh0", {}, at(0s));

  // Each picked item is followed by a fresh event, so that the highest class is never empty.
  for (int turn = 0; turn < 1000; ++turn) {
    steps.add("fresh" + std::to_string(++fresh), {}, at(0s));
    auto item = steps.pick(at(0s));
    if (item->priority == -100) ++resynced;
    steps.done(item->key, at(0s));
  }

  CHECK(resynced == 100);
}

TEST_CASE("an initial list of 100,000 does not delay a fresh event") {
  QueueSteps steps{{}};
  for (int i = 0; i < 100'000; ++i) steps.add("old" + std::to_string(i), {.priority = -100, .reason = ""}, at(0s));
  for (int i = 0; i < 50; ++i) steps.done(pick_key(steps), at(0s));

  steps.add("fresh", {}, at(0s));

  CHECK(pick_key(steps) == "fresh");
}

TEST_CASE("every tenth pick is the oldest key of the lower classes, not that of the highest of them") {
  QueueSteps steps{{}};
  steps.add("oldest", {.priority = -200, .reason = ""}, at(0s));
  steps.add("older", {.priority = -100, .reason = ""}, at(0s));
  for (int i = 0; i < 20; ++i) steps.add("fresh" + std::to_string(i), {}, at(0s));

  auto keys = drain(steps);

  REQUIRE(keys.size() == 22);
  CHECK(keys[9] == "oldest");
  CHECK(keys[19] == "older");
}

TEST_CASE("drop_queued drops the queued keys and still accepts done of keys in progress") {
  QueueSteps steps{{}};
  steps.add("working", {}, at(0s));
  REQUIRE(pick_key(steps) == "working");
  steps.add("working", {}, at(0s));
  steps.add("ready", {}, at(0s));
  steps.add_at("waiting", {}, at(5s));

  steps.drop_queued();

  CHECK(steps.ready() == 0);
  CHECK(steps.waiting() == 0);
  CHECK_FALSE(steps.pick(at(9s)));
  CHECK_FALSE(steps.done("working", at(9s)).available);
  CHECK(steps.keys() == 0);
}

TEST_CASE("depth and adds count a key when it becomes ready") {
  QueueSteps steps{{}};
  steps.add_at("a", {.priority = -100, .reason = ""}, at(1s));
  CHECK(steps.total_adds() == 0);
  CHECK(steps.depths().empty());

  steps.release_due(at(1s), 10);
  steps.add("b", {}, at(1s));
  steps.add("b", {}, at(1s));
  CHECK(steps.total_adds() == 2);
  CHECK(steps.depths() == std::map<int, std::size_t>{{-100, 1}, {0, 1}});

  steps.add("a", {}, at(1s));
  CHECK(steps.depths() == std::map<int, std::size_t>{{-100, 0}, {0, 2}});
  drain(steps);
  CHECK(steps.depths() == std::map<int, std::size_t>{{-100, 0}, {0, 0}});
}

TEST_CASE("priorities that were used once are removed") {
  QueueSteps steps{{}};

  for (int i = 0; i < 1000; ++i) {
    steps.add("a", {.priority = i, .reason = ""}, at(0s));
    drain(steps);
  }

  CHECK(steps.depths().size() <= limits::kPriorityLabels + 1);
}

TEST_CASE("unfinished work is the sum and the maximum over the keys in progress") {
  QueueSteps steps{{}};
  steps.add("a", {}, at(0s));
  steps.add("b", {}, at(0s));
  REQUIRE(steps.pick(at(0s)));
  REQUIRE(steps.pick(at(2s)));

  CHECK(steps.work(at(5s)).unfinished == 8s);
  CHECK(steps.work(at(5s)).longest == 5s);
  steps.done("a", at(5s));
  CHECK(steps.work(at(5s)).unfinished == 3s);
}

TEST_CASE("no key is processed twice at the same time, and none is lost, in random sequences") {
  auto seed = GENERATE_COPY(1U, 2U, 3U);
  INFO("seed " << seed);
  std::mt19937 engine(seed);
  QueueSteps steps{{}};
  std::set<std::string> owed;  // added since their last pick
  std::vector<std::string> working;
  auto now = at(0s);

  for (int turn = 0; turn < 20'000; ++turn) {
    auto key = "k" + std::to_string(engine() % 40);
    int priority = static_cast<int>(engine() % 3) * 100 - 100;
    switch (engine() % 6) {
      case 0:
        owed.insert(key);
        steps.add(key, {.priority = priority, .reason = ""}, now);
        break;
      case 1:
        owed.insert(key);
        steps.add_at(key, {.priority = priority, .reason = ""}, now + 1ms * (engine() % 50));
        break;
      case 2:
        steps.forget(key);
        break;
      case 3:
        now += 1ms;
        steps.release_due(now, 5);
        break;
      case 4:
        if (auto item = steps.pick(now)) {
          REQUIRE(std::find(working.begin(), working.end(), item->key) == working.end());
          REQUIRE(owed.erase(item->key) == 1);
          working.push_back(item->key);
        }
        break;
      default:
        if (working.empty()) break;
        std::swap(working[engine() % working.size()], working.back());
        steps.done(working.back(), now);
        working.pop_back();
    }
  }
  for (const auto& key : working) steps.done(key, now);
  steps.release_due(now + 1s, 1000);
  for (const auto& key : drain(steps)) owed.erase(key);

  CHECK(owed.empty());
  for (int i = 0; i < 40; ++i) steps.forget("k" + std::to_string(i));
  CHECK(steps.keys() == 0);
}
