// The decisions of the queue, a transition per case.
#include "src/queue/queue_policy.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <random>
#include <set>

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using queue::QueuePolicy;

async::TimePoint at(async::Duration since_start) { return async::TimePoint(since_start); }

std::string pick_key(QueuePolicy& policy, async::TimePoint now = at(0s)) {
  auto item = policy.pick(now);
  return item ? item->key : "";
}

// Picks and finishes all keys, and returns them in their order.
std::vector<std::string> drain(QueuePolicy& policy) {
  std::vector<std::string> keys;
  while (auto item = policy.pick(at(0s))) {
    keys.push_back(item->key);
    policy.done(item->key, at(0s));
  }
  return keys;
}

}  // namespace

TEST_CASE("keys of the same priority are picked in the order in which they were added") {
  QueuePolicy policy{{}};
  for (const char* key : {"b", "a", "c"}) policy.add(key, {}, at(0s));

  auto keys = drain(policy);

  CHECK(keys == std::vector<std::string>{"b", "a", "c"});
  CHECK(policy.keys() == 0);
}

TEST_CASE("a key added twice is one item with the higher priority and both reasons") {
  QueuePolicy policy{{}};
  policy.add("a", {.priority = -100, .reason = "Memcached added"}, at(1s));

  CHECK_FALSE(policy.add("a", {.priority = 0, .reason = "Deployment updated"}, at(2s)));

  auto item = policy.pick(at(4s));
  REQUIRE(item);
  CHECK(item->priority == 0);
  CHECK(item->reasons == std::vector<std::string>{"Memcached added", "Deployment updated"});
  CHECK(item->waited == 3s);
  CHECK_FALSE(policy.pick(at(4s)));
}

TEST_CASE("a lower priority added later does not lower a queued key") {
  QueuePolicy policy{{}};
  policy.add("a", {.priority = 5, .reason = ""}, at(0s));
  policy.add("a", {.priority = -100, .reason = ""}, at(0s));

  CHECK(policy.pick(at(0s))->priority == 5);
}

TEST_CASE("a key with a raised priority moves to the end of its new class") {
  QueuePolicy policy{{}};
  policy.add("low", {.priority = -100, .reason = ""}, at(0s));
  policy.add("first", {}, at(0s));
  policy.add("low", {}, at(0s));
  policy.add("last", {}, at(0s));

  CHECK(drain(policy) == std::vector<std::string>{"first", "low", "last"});
}

TEST_CASE("reasons are distinct and limited") {
  QueuePolicy policy{{}};
  for (int i = 0; i < 20; ++i) policy.add("a", {.priority = 0, .reason = "reason " + std::to_string(i / 2)}, at(0s));

  auto item = policy.pick(at(0s));

  CHECK(item->reasons.size() == limits::kReasonsPerKey);
  CHECK(std::set<std::string>(item->reasons.begin(), item->reasons.end()).size() == limits::kReasonsPerKey);
}

TEST_CASE("a key added while processing is requeued once") {
  QueuePolicy policy{{}};
  policy.add("a", {}, at(0s));
  REQUIRE(pick_key(policy) == "a");

  CHECK_FALSE(policy.add("a", {}, at(1s)));
  CHECK_FALSE(policy.add("a", {}, at(2s)));
  CHECK_FALSE(policy.pick(at(2s)));
  CHECK(policy.ready() == 0);
  auto done = policy.done("a", at(3s));

  CHECK(done.available);
  CHECK(done.worked == 3s);
  CHECK(policy.pick(at(3s))->waited == 2s);
  CHECK_FALSE(policy.done("a", at(3s)).available);
  CHECK(policy.keys() == 0);
}

TEST_CASE("a key whose delay ends while it is processed becomes ready after done") {
  QueuePolicy policy{{}};
  policy.add("a", {}, at(0s));
  REQUIRE(pick_key(policy) == "a");
  policy.add_at("a", {}, at(1s));

  CHECK(policy.release_due(at(2s), 10) == 0);
  CHECK_FALSE(policy.pick(at(2s)));

  CHECK(policy.done("a", at(3s)).available);
  CHECK(pick_key(policy, at(3s)) == "a");
}

TEST_CASE("a second delay counts only if it ends earlier") {
  QueuePolicy policy{{}};
  policy.add_at("a", {}, at(10s));

  policy.add_at("a", {}, at(20s));
  CHECK(policy.next_due() == at(10s));
  policy.add_at("a", {}, at(5s));
  CHECK(policy.next_due() == at(5s));
  CHECK(policy.waiting() == 1);

  CHECK(policy.release_due(at(4s), 10) == 0);
  CHECK(policy.release_due(at(5s), 10) == 1);
  CHECK(pick_key(policy, at(5s)) == "a");
}

TEST_CASE("an immediate add ends the delay of a waiting key") {
  QueuePolicy policy{{}};
  policy.add_at("a", {.priority = 3, .reason = "requeue after 10s"}, at(10s));

  CHECK(policy.add("a", {.priority = 0, .reason = "Memcached updated"}, at(1s)));

  CHECK(policy.waiting() == 0);
  auto item = policy.pick(at(1s));
  CHECK(item->priority == 3);
  CHECK(item->waited == 0s);
  CHECK(policy.release_due(at(20s), 10) == 0);
}

TEST_CASE("a delay for a key that is ready changes nothing but its priority") {
  QueuePolicy policy{{}};
  policy.add("a", {}, at(0s));

  policy.add_at("a", {.priority = 7, .reason = ""}, at(10s));

  CHECK(policy.waiting() == 0);
  CHECK(policy.pick(at(0s))->priority == 7);
}

TEST_CASE("many delays end in the order of their times, in slices") {
  QueuePolicy policy{{}};
  std::mt19937 engine(7);
  std::vector<int> times(500);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<int>(i);
  std::shuffle(times.begin(), times.end(), engine);
  for (int time : times) policy.add_at("k" + std::to_string(time), {}, at(1000s));
  for (int time : times) policy.add_at("k" + std::to_string(time), {}, at(std::chrono::seconds(time)));

  CHECK(policy.release_due(at(1000s), 100) == 100);
  CHECK(policy.next_due() == at(100s));
  CHECK(policy.release_due(at(1000s), 1000) == 400);

  auto keys = drain(policy);
  REQUIRE(keys.size() == 500);
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK(keys[i] == "k" + std::to_string(i));
}

TEST_CASE("M14, P6: backoff doubles from 5 ms to 1000 s for each key, until the key is forgotten") {
  QueuePolicy policy{{}};

  std::vector<async::Duration> delays;
  for (int i = 0; i < 30; ++i) delays.push_back(policy.next_delay("a"));

  CHECK(delays[0] == 5ms);
  CHECK(delays[1] == 10ms);
  CHECK(delays[2] == 20ms);
  CHECK(delays[17] == 655'360ms);
  CHECK(delays[18] == 1000s);
  CHECK(delays[29] == 1000s);
  CHECK(policy.retries("a") == 30);
  CHECK(policy.next_delay("b") == 5ms);
  policy.forget("a");
  CHECK(policy.retries("a") == 0);
  CHECK(policy.next_delay("a") == 5ms);
}

TEST_CASE("a key that is forgotten and done leaves no entry") {
  QueuePolicy policy{{}};
  policy.add("a", {}, at(0s));
  REQUIRE(pick_key(policy) == "a");
  (void)policy.next_delay("a");
  policy.done("a", at(0s));
  CHECK(policy.keys() == 1);

  policy.forget("a");

  CHECK(policy.keys() == 0);
}

TEST_CASE("a flood of fresh events leaves every tenth pick to a resync") {
  QueuePolicy policy{{}};
  for (int i = 0; i < 100; ++i) policy.add("old" + std::to_string(i), {.priority = -100, .reason = ""}, at(0s));
  int fresh = 0;
  int resynced = 0;
  policy.add("fresh0", {}, at(0s));

  // Each picked item is followed by a fresh event, so that the highest class is never empty.
  for (int turn = 0; turn < 1000; ++turn) {
    policy.add("fresh" + std::to_string(++fresh), {}, at(0s));
    auto item = policy.pick(at(0s));
    if (item->priority == -100) ++resynced;
    policy.done(item->key, at(0s));
  }

  CHECK(resynced == 100);
}

TEST_CASE("an initial list of 100,000 does not delay a fresh event") {
  QueuePolicy policy{{}};
  for (int i = 0; i < 100'000; ++i) policy.add("old" + std::to_string(i), {.priority = -100, .reason = ""}, at(0s));
  for (int i = 0; i < 50; ++i) policy.done(pick_key(policy), at(0s));

  policy.add("fresh", {}, at(0s));

  CHECK(pick_key(policy) == "fresh");
}

TEST_CASE("every tenth pick is the oldest key of all lower priority classes") {
  QueuePolicy policy{{}};
  policy.add("oldest", {.priority = -200, .reason = ""}, at(0s));
  policy.add("older", {.priority = -100, .reason = ""}, at(0s));
  for (int i = 0; i < 20; ++i) policy.add("fresh" + std::to_string(i), {}, at(0s));

  auto keys = drain(policy);

  REQUIRE(keys.size() == 22);
  CHECK(keys[9] == "oldest");
  CHECK(keys[19] == "older");
}

TEST_CASE("drop_queued drops the queued keys and still accepts done of keys in progress") {
  QueuePolicy policy{{}};
  policy.add("working", {}, at(0s));
  REQUIRE(pick_key(policy) == "working");
  policy.add("working", {}, at(0s));
  policy.add("ready", {}, at(0s));
  policy.add_at("waiting", {}, at(5s));

  policy.drop_queued();

  CHECK(policy.ready() == 0);
  CHECK(policy.waiting() == 0);
  CHECK_FALSE(policy.pick(at(9s)));
  CHECK_FALSE(policy.done("working", at(9s)).available);
  CHECK(policy.keys() == 0);
}

TEST_CASE("depth and adds count a key when it becomes ready") {
  QueuePolicy policy{{}};
  policy.add_at("a", {.priority = -100, .reason = ""}, at(1s));
  CHECK(policy.total_adds() == 0);
  CHECK(policy.depths().empty());

  policy.release_due(at(1s), 10);
  policy.add("b", {}, at(1s));
  policy.add("b", {}, at(1s));
  CHECK(policy.total_adds() == 2);
  CHECK(policy.depths() == std::map<int, std::size_t>{{-100, 1}, {0, 1}});

  policy.add("a", {}, at(1s));
  CHECK(policy.depths() == std::map<int, std::size_t>{{-100, 0}, {0, 2}});
  drain(policy);
  CHECK(policy.depths() == std::map<int, std::size_t>{{-100, 0}, {0, 0}});
}

TEST_CASE("priorities that were used once are removed") {
  QueuePolicy policy{{}};

  for (int i = 0; i < 1000; ++i) {
    policy.add("a", {.priority = i, .reason = ""}, at(0s));
    drain(policy);
  }

  CHECK(policy.depths().size() <= limits::kPriorityLabels + 1);
}

TEST_CASE("unfinished work is the sum and the maximum over the keys in progress") {
  QueuePolicy policy{{}};
  policy.add("a", {}, at(0s));
  policy.add("b", {}, at(0s));
  REQUIRE(policy.pick(at(0s)));
  REQUIRE(policy.pick(at(2s)));

  CHECK(policy.work(at(5s)).unfinished == 8s);
  CHECK(policy.work(at(5s)).longest == 5s);
  policy.done("a", at(5s));
  CHECK(policy.work(at(5s)).unfinished == 3s);
}

TEST_CASE("the state of a key follows it through the queue") {
  using Place = queue::KeyState::Place;
  QueuePolicy policy{{}};
  CHECK(policy.state_of("a").place == Place::kNotQueued);

  const auto delay = policy.next_delay("a");
  policy.add_at("a", {.priority = -100, .reason = ""}, at(5s));
  const auto waiting = policy.state_of("a");
  CHECK(waiting.place == Place::kWaiting);
  CHECK(waiting.since == at(5s));
  CHECK(waiting.retries == 1);
  CHECK(waiting.priority == -100);
  CHECK(delay > 0s);

  policy.release_due(at(6s), 10);
  CHECK(policy.state_of("a").place == Place::kReady);
  CHECK(policy.state_of("a").since == at(6s));

  static_cast<void>(policy.pick(at(7s)));
  CHECK(policy.state_of("a").place == Place::kNotQueued);
  CHECK(policy.state_of("a").in_progress == at(7s));

  policy.add("a", {}, at(8s));
  CHECK(policy.state_of("a").place == Place::kHeldBack);

  policy.done("a", at(9s));
  CHECK(policy.state_of("a").place == Place::kReady);
  CHECK(!policy.state_of("a").in_progress);
}

TEST_CASE("no key is processed twice at the same time, and none is lost, in random sequences") {
  auto seed = GENERATE_COPY(1U, 2U, 3U);
  INFO("seed " << seed);
  std::mt19937 engine(seed);
  QueuePolicy policy{{}};
  std::set<std::string> owed;  // added since their last pick
  std::vector<std::string> working;
  auto now = at(0s);

  for (int turn = 0; turn < 20'000; ++turn) {
    auto key = "k" + std::to_string(engine() % 40);
    int priority = static_cast<int>(engine() % 3) * 100 - 100;
    switch (engine() % 6) {
      case 0:
        owed.insert(key);
        policy.add(key, {.priority = priority, .reason = ""}, now);
        break;
      case 1:
        owed.insert(key);
        policy.add_at(key, {.priority = priority, .reason = ""}, now + 1ms * (engine() % 50));
        break;
      case 2:
        policy.forget(key);
        break;
      case 3:
        now += 1ms;
        policy.release_due(now, 5);
        break;
      case 4:
        if (auto item = policy.pick(now)) {
          REQUIRE(std::ranges::find(working, item->key) == working.end());
          REQUIRE(owed.erase(item->key) == 1);
          working.push_back(item->key);
        }
        break;
      default:
        if (working.empty()) break;
        std::swap(working[engine() % working.size()], working.back());
        policy.done(working.back(), now);
        working.pop_back();
    }
  }
  for (const auto& key : working) policy.done(key, now);
  policy.release_due(now + 1s, 1000);
  for (const auto& key : drain(policy)) owed.erase(key);

  CHECK(owed.empty());
  for (int i = 0; i < 40; ++i) policy.forget("k" + std::to_string(i));
  CHECK(policy.keys() == 0);
}

TEST_CASE("a snapshot of an empty queue has no keys") {
  const QueuePolicy policy{{}};

  const auto snapshot = policy.snapshot(at(1s));

  CHECK(snapshot.ready + snapshot.waiting + snapshot.failing + snapshot.in_progress == 0);
  CHECK_FALSE(snapshot.oldest);
  CHECK_FALSE(snapshot.next);
  CHECK(snapshot.running.empty());
}

TEST_CASE("a snapshot names the key that waits longest, whatever its priority is, and the next delayed key") {
  QueuePolicy policy{{}};
  policy.add("low", {.priority = queue::kLowPriority}, at(1s));
  policy.add("normal", {}, at(2s));
  policy.add_at("later", {}, at(60s));
  policy.add_at("soon", {}, at(30s));

  const auto snapshot = policy.snapshot(at(10s));

  CHECK(snapshot.ready == 2);
  CHECK(snapshot.waiting == 2);
  REQUIRE(snapshot.oldest);
  CHECK(snapshot.oldest->key == "low");
  CHECK(snapshot.oldest->time == 9s);
  REQUIRE(snapshot.next);
  CHECK(snapshot.next->key == "soon");
  CHECK(snapshot.next->time == 20s);
}

TEST_CASE("a snapshot names the keys that run longest, up to its limit") {
  QueuePolicy policy{{}};
  for (int i = 0; i < 9; ++i) {
    policy.add(std::to_string(i), {}, at(0s));
    static_cast<void>(policy.pick(at(std::chrono::seconds(i))));
  }

  const auto snapshot = policy.snapshot(at(10s));

  CHECK(snapshot.in_progress == 9);
  REQUIRE(snapshot.running.size() == limits::kSnapshotKeys);
  CHECK(snapshot.running.front().key == "0");
  CHECK(snapshot.running.front().time == 10s);
  CHECK(snapshot.running.back().key == "4");
}

TEST_CASE("a snapshot counts the keys with errors until they succeed or are dropped") {
  QueuePolicy policy{{}};
  const auto failing = [&policy] { return policy.snapshot(at(0s)).failing; };
  for (const char* key : {"a", "b", "c"}) {
    policy.add(key, {}, at(0s));
    static_cast<void>(policy.next_delay(key));
    static_cast<void>(policy.next_delay(key));
  }
  CHECK(failing() == 3);

  policy.forget("b");
  policy.forget("b");
  policy.forget("unknown");
  CHECK(failing() == 2);

  static_cast<void>(policy.pick(at(0s)));
  policy.drop_queued();
  CHECK(failing() == 1);
  policy.done("a", at(0s));
  policy.forget("a");
  CHECK(failing() == 0);
}
