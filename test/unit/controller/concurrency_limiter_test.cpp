// Workers of several queues under the common limit, in virtual time.
#include "src/controller/concurrency_limiter.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/async/task_group.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using controller::ConcurrencyLimiter;
using queue::WorkQueue;

class Messages final : public LogSink {
 public:
  bool enabled(Level level, int) const override { return level != Level::kDebug; }
  void write(const Line& line) override { lines.emplace_back(line.message); }
  std::vector<std::string> lines;
};

const kube::Answer kRejected{kube::Verb::kPatch, 429, true, 5ms};

// Two controllers with eight workers each; a reconcile takes 100 ms.
struct TwoControllers {
  TwoControllers() {
    limiter.add(first, 8);
    limiter.add(second, 8);
    for (int worker = 0; worker < 8; ++worker) {
      workers.spawn(work(first));
      workers.spawn(work(second));
    }
    loop.poll();
  }
  ~TwoControllers() {
    first.shut_down();
    second.shut_down();
    loop.run([this] { return workers.join(); });
  }

  awaitable<void> work(WorkQueue& queue) {
    for (;;) {
      auto item = co_await queue.get();
      if (!item) co_return;
      most = std::max(most, limiter.in_use());
      co_await async::sleep_for(loop.clock(), 100ms);
      queue.done(item->key);
      ++done[&queue];
      limiter.released();
    }
  }

  void fill(WorkQueue& queue, int keys) {
    for (int key = 0; key < keys; ++key) queue.add("default/" + std::to_string(key), {});
  }

  void pass(async::Duration time) {
    for (async::Duration step{0}; step < time; step += 50ms) {
      loop.clock().advance(50ms);
      loop.poll();
    }
  }

  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  Messages messages;
  WorkQueue first{loop.clock(), registry, "first"};
  WorkQueue second{loop.clock(), registry, "second"};
  ConcurrencyLimiter limiter{loop.clock(), Logger(messages), registry, 16};
  async::TaskGroup workers{loop.executor()};
  std::map<WorkQueue*, int> done;
  int most = 0;
};

}  // namespace

TEST_CASE("without overload all workers take keys") {
  TwoControllers world;
  world.fill(world.first, 8);
  world.fill(world.second, 8);
  world.loop.poll();

  CHECK(world.limiter.in_use() == 16);
  CHECK(world.messages.lines.empty());
}

TEST_CASE("an overloaded API server halves the reconciles, which rise again by themselves") {
  TwoControllers world;
  world.fill(world.first, 1000);
  world.fill(world.second, 1000);
  world.loop.poll();

  world.limiter.observe(kRejected);
  CHECK(world.limiter.limit() == 8);
  world.pass(200ms);
  world.most = 0;
  world.pass(500ms);
  CHECK(world.most == 8);
  world.pass(10s);

  CHECK(world.limiter.limit() == 16);
  CHECK(world.limiter.in_use() == 16);
  CHECK(world.messages.lines ==
        std::vector<std::string>{"The API server is overloaded, fewer objects are reconciled at once",
                                 "The API server is no longer overloaded, all workers reconcile again"});
  CHECK(world.registry.text().find("keelson_concurrency_reductions_total{reason=\"throttled\"} 1\n") !=
        std::string::npos);
}

TEST_CASE("each controller always reconciles one object, and none starves") {
  TwoControllers world;
  world.fill(world.first, 1000);
  world.fill(world.second, 1000);
  world.loop.poll();

  for (int second = 0; second < 30; ++second) {
    world.limiter.observe(kRejected);
    world.pass(1s);
  }

  CHECK(world.limiter.limit() <= 2);
  CHECK(world.limiter.in_use() == 2);
  CHECK(world.done[&world.first] > 250);
  CHECK(world.done[&world.second] > 250);
}

TEST_CASE("controllers that have keys share the limit, whichever has taken the permits first") {
  TwoControllers world;
  world.fill(world.first, 1000);
  world.loop.poll();
  world.limiter.observe(kRejected);
  world.pass(200ms);
  REQUIRE(world.limiter.limit() == 4);
  REQUIRE(world.first.in_progress() == 4);

  world.fill(world.second, 1000);
  world.pass(300ms);

  CHECK(world.first.in_progress() == 2);
  CHECK(world.second.in_progress() == 2);
}

TEST_CASE("a controller may use the share of one that has too few workers for its keys") {
  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  Messages messages;
  WorkQueue large(loop.clock(), registry, "large");
  WorkQueue small(loop.clock(), registry, "small");
  ConcurrencyLimiter limiter(loop.clock(), Logger(messages), registry, 9);
  limiter.add(large, 8);
  limiter.add(small, 1);
  async::TaskGroup workers(loop.executor());
  const auto take = [](WorkQueue& queue) -> awaitable<void> { static_cast<void>(co_await queue.get()); };
  limiter.observe(kRejected);
  for (auto* queue : {&small, &large}) {
    for (int key = 0; key < 20; ++key) queue->add(std::to_string(key), {});
  }
  REQUIRE(limiter.limit() == 1);
  for (int second = 0; second < 3; ++second) {
    loop.clock().advance(1s);
    loop.poll();
  }
  REQUIRE(limiter.limit() == 4);

  workers.spawn(take(small));
  for (int worker = 0; worker < 8; ++worker) workers.spawn(take(large));
  loop.poll();

  CHECK(small.in_progress() == 1);
  CHECK(large.in_progress() == 3);
  small.shut_down();
  large.shut_down();
  loop.run([&] { return workers.join(); });
}

TEST_CASE("a key that is added while the limit is reached waits in its queue and is not forgotten") {
  TwoControllers world;
  world.fill(world.first, 8);
  world.loop.poll();
  for (int second = 0; second < 5; ++second) {
    world.limiter.observe(kRejected);
    world.pass(1s);
  }
  CHECK(world.first.ready() == 0);
  world.limiter.observe(kRejected);

  world.fill(world.first, 5);
  world.fill(world.second, 5);
  world.loop.poll();
  CHECK(world.first.ready() == 4);
  CHECK(world.second.ready() == 4);
  world.pass(2s);

  CHECK(world.first.ready() + world.second.ready() == 0);
  CHECK(world.done[&world.first] == 13);
  CHECK(world.done[&world.second] == 5);
}

TEST_CASE("workers that wait for the limit end with their queue") {
  TwoControllers world;
  world.fill(world.first, 8);
  world.loop.poll();
  world.limiter.observe(kRejected);
  world.fill(world.first, 20);
  world.loop.poll();
}
