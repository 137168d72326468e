// The queue from the perspective of workers: waiting, waking, delays on the clock, and metrics.
#include "keelson/detail/queue/work_queue.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using queue::WorkQueue;

struct QueueOnClock {
  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  WorkQueue queue{loop.clock(), registry, "memcached"};
  std::vector<std::string> worked;  // "worker: key"

  bool exports(const std::string& line) {
    auto text = "\n" + registry.text();
    INFO(text);
    return text.find("\n" + line + "\n") != std::string::npos;
  }
};

awaitable<void> work(QueueOnClock& world, std::string worker, async::Duration takes) {
  for (;;) {
    auto item = co_await world.queue.get();
    if (!item) co_return;
    world.worked.push_back(worker + ": " + item->key);
    co_await async::sleep_for(world.loop.clock(), takes);
    world.queue.done(item->key);
  }
}

// Runs two workers until `steps` has ended, then shuts down the queue and joins them.
void with_workers(QueueOnClock& world, std::function<awaitable<void>()> steps) {
  async::TaskGroup group(world.loop.executor());
  auto body = [&]() -> awaitable<void> {
    group.spawn(work(world, "one", 1s));
    group.spawn(work(world, "two", 1s));
    co_await sandbox::loop::yield();
    co_await steps();
    world.queue.shut_down();
    co_await group.join();
  };
  world.loop.run(sandbox::loop::TestLoop::Body(body));
}

}  // namespace

TEST_CASE("an idle worker is woken by an add") {
  QueueOnClock world;

  with_workers(world, [&]() -> awaitable<void> {
    world.queue.add("a", {});
    co_await async::sleep_for(world.loop.clock(), 10s);
  });

  CHECK(world.worked == std::vector<std::string>{"one: a"});
}

TEST_CASE("two keys are processed at the same time, but a single key never is") {
  QueueOnClock world;

  with_workers(world, [&]() -> awaitable<void> {
    world.queue.add("a", {});
    world.queue.add("b", {});
    co_await async::sleep_for(world.loop.clock(), 500ms);
    CHECK(world.worked == std::vector<std::string>{"one: a", "two: b"});

    world.queue.add("a", {});
    co_await async::sleep_for(world.loop.clock(), 400ms);
    CHECK(world.worked.size() == 2);
    co_await async::sleep_for(world.loop.clock(), 5s);
  });

  CHECK(world.worked.size() == 3);
}

TEST_CASE("a key is returned when its delay is over, and a single timer serves all delays") {
  QueueOnClock world;

  with_workers(world, [&]() -> awaitable<void> {
    world.queue.add_after("late", 20s, {});
    world.queue.add_after("early", 10s, {});
    world.queue.add_after("middle", 15s, {});
    CHECK(world.loop.clock().timers() == 1);
    CHECK(world.queue.waiting() == 3);

    co_await async::sleep_for(world.loop.clock(), 9s);
    CHECK(world.worked.empty());
    co_await async::sleep_for(world.loop.clock(), 2s);
    CHECK(world.worked == std::vector<std::string>{"one: early"});
    co_await async::sleep_for(world.loop.clock(), 20s);
  });

  CHECK(world.worked.size() == 3);
}

TEST_CASE("5,000 delays that end at the same time are all released") {
  QueueOnClock world;
  for (int i = 0; i < 5000; ++i) world.queue.add_after("k" + std::to_string(i), 10s, {});

  world.loop.clock().advance(10s);
  while (world.loop.clock().advance_to_next()) {
  }

  CHECK(world.queue.ready() == 5000);
  CHECK(world.queue.waiting() == 0);
}

TEST_CASE("a failing key waits 5 ms, 10 ms, 20 ms and is forgotten on success") {
  QueueOnClock world;
  auto start = world.loop.clock().now();
  std::vector<async::Duration> times;

  auto body = [&]() -> awaitable<void> {
    world.queue.add("a", {});
    for (int i = 0; i < 4; ++i) {
      auto item = co_await world.queue.get();
      times.push_back(world.loop.clock().now() - start);
      world.queue.add_rate_limited(item->key, {.priority = item->priority, .reason = ""});
      world.queue.done(item->key);
    }
    CHECK(world.queue.retries("a") == 4);
    world.queue.forget("a");
  };
  world.loop.run(sandbox::loop::TestLoop::Body(body));

  CHECK(times == std::vector<async::Duration>{0ms, 5ms, 15ms, 35ms});
  CHECK(world.queue.retries("a") == 0);
}

TEST_CASE(
    "a key that is forgotten and added while it waits for its backoff is ready, and its next backoff is the first") {
  QueueOnClock world;
  for (int failure = 0; failure < 20; ++failure) world.queue.add_rate_limited("a", {});
  with_workers(world, [&]() -> awaitable<void> {
    co_await async::sleep_for(world.loop.clock(), 2min);
    world.worked.clear();
    for (int failure = 0; failure < 20; ++failure) world.queue.add_rate_limited("a", {});

    world.queue.forget("a");
    world.queue.add("a", {});
    co_await async::sleep_for(world.loop.clock(), 1ms);

    CHECK(world.worked.size() == 1);
    CHECK(world.queue.waiting() == 0);
    world.queue.add_rate_limited("a", {});
    co_await async::sleep_for(world.loop.clock(), 2s);
    CHECK(world.worked.size() == 2);
  });
}

TEST_CASE("a delay of zero is immediate and does not count as a retry") {
  QueueOnClock world;

  world.queue.add_after("a", 0s, {});
  world.queue.add_after("b", -1s, {});

  CHECK(world.queue.ready() == 2);
  CHECK(world.exports(R"(workqueue_retries_total{controller="memcached",name="memcached"} 0)"));
}

TEST_CASE("after shut_down workers get nothing and adds are ignored") {
  QueueOnClock world;
  world.queue.add_after("b", 1s, {});
  world.queue.add("a", {});

  world.queue.shut_down();
  world.queue.add("c", {});
  world.queue.add_after("d", 1s, {});
  world.queue.add_rate_limited("e", {});

  CHECK(world.queue.ready() == 0);
  CHECK(world.queue.waiting() == 0);
  CHECK(world.loop.clock().timers() == 0);
  bool got = true;
  world.loop.run(sandbox::loop::TestLoop::Body([&]() -> awaitable<void> {
    auto item = co_await world.queue.get();
    got = item.has_value();
  }));
  CHECK_FALSE(got);
}

TEST_CASE("a worker that waits can be canceled") {
  QueueOnClock world;
  async::TaskGroup group(world.loop.executor());

  world.loop.run(sandbox::loop::TestLoop::Body([&]() -> awaitable<void> {
    group.spawn(work(world, "one", 1s));
    co_await sandbox::loop::yield();
    group.stop();
    co_await group.join();
  }));

  CHECK(group.empty());
}

TEST_CASE("the workqueue series have controller-runtime's names, labels and values") {
  QueueOnClock world;
  world.queue.add("a", {});
  world.queue.add("b", {.priority = queue::kLowPriority, .reason = ""});
  world.queue.add("c", {.priority = queue::kLowPriority, .reason = ""});
  world.queue.add_after("d", 100s, {});

  world.loop.clock().advance(2s);
  world.loop.run(sandbox::loop::TestLoop::Body([&]() -> awaitable<void> {
    auto first = co_await world.queue.get();
    CHECK(first->key == "a");
    CHECK(first->waited == 2s);
    world.loop.clock().advance(3s);
    auto second = co_await world.queue.get();
    CHECK(second->key == "b");
    world.loop.clock().advance(1s);
  }));

  CHECK(world.exports(R"(workqueue_depth{controller="memcached",name="memcached",priority="-100"} 1)"));
  CHECK(world.exports(R"(workqueue_depth{controller="memcached",name="memcached",priority="0"} 0)"));
  CHECK(world.exports(R"(workqueue_adds_total{controller="memcached",name="memcached"} 3)"));
  CHECK(world.exports(R"(workqueue_retries_total{controller="memcached",name="memcached"} 1)"));
  CHECK(world.exports(R"(workqueue_queue_duration_seconds_sum{controller="memcached",name="memcached"} 7)"));
  CHECK(world.exports(R"(workqueue_unfinished_work_seconds{controller="memcached",name="memcached"} 5)"));
  CHECK(world.exports(R"(workqueue_longest_running_processor_seconds{controller="memcached",name="memcached"} 4)"));
  world.queue.done("a");
  world.queue.done("b");
  CHECK(world.exports(R"(workqueue_work_duration_seconds_sum{controller="memcached",name="memcached"} 5)"));
  CHECK(world.exports(R"(workqueue_unfinished_work_seconds{controller="memcached",name="memcached"} 0)"));
}

TEST_CASE("the depth of a queue is the same in each scrape, and decreases to zero") {
  QueueOnClock world;
  auto depth = [](const char* value) {
    return R"(workqueue_depth{controller="memcached",name="memcached",priority="0"} )" + std::string(value);
  };
  world.queue.add("a", {});
  world.queue.add("b", {});

  for (int scrape = 0; scrape < 3; ++scrape) CHECK(world.exports(depth("2")));
  world.loop.run(sandbox::loop::TestLoop::Body([&]() -> awaitable<void> {
    for (const auto* value : {"1", "0"}) {
      auto item = co_await world.queue.get();
      CHECK(item);
      for (int scrape = 0; scrape < 2; ++scrape) CHECK(world.exports(depth(value)));
    }
  }));
}

TEST_CASE("priorities beyond the limit share a depth series") {
  QueueOnClock world;

  for (int i = 0; i < 30; ++i) world.queue.add("k" + std::to_string(i), {.priority = i, .reason = ""});

  for (int scrape = 0; scrape < 2; ++scrape) {
    CHECK(world.exports(
        R"(workqueue_depth{controller="memcached",name="memcached",priority="exceeded_cardinality_limit"} 5)"));
  }
}

TEST_CASE("a paused queue collects keys, and resume gives them to all workers") {
  QueueOnClock world;

  with_workers(world, [&]() -> awaitable<void> {
    world.queue.add("before", {});
    co_await sandbox::loop::yield();
    world.queue.pause();
    CHECK(world.queue.is_paused());
    world.queue.add("a", {});
    world.queue.add("b", {});
    world.queue.add_after("c", 1s, {});
    co_await async::sleep_for(world.loop.clock(), 10s);
    // The item in progress has ended, and no other one has begun.
    CHECK(world.worked.size() == 1);
    CHECK(world.queue.ready() == 3);
    CHECK(world.queue.in_progress() == 0);

    world.queue.resume();
    co_await sandbox::loop::yield();
    CHECK(world.queue.in_progress() == 2);
    co_await async::sleep_for(world.loop.clock(), 3s);
    CHECK(world.worked.size() == 4);
  });
}

TEST_CASE("the workers of a paused queue end at its shutdown") {
  QueueOnClock world;

  with_workers(world, [&]() -> awaitable<void> {
    world.queue.pause();
    world.queue.add("a", {});
    co_await sandbox::loop::yield();
  });

  CHECK(world.worked.empty());
}
