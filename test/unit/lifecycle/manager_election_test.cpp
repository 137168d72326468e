// A manager with an elector: the services of a standby and of a leader, and their stop.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::lifecycle {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Trace = std::vector<std::string>;
using State = leader::Elector::State;

class FakeElector final : public leader::Elector {
 public:
  FakeElector(async::Clock& clock, Trace& trace) : trace_(trace), fence_(clock) {}
  std::string name() const override { return "leader election"; }
  Task<void> start() override {
    trace_.emplace_back("compete");
    co_return Result<void>();
  }
  asio::awaitable<void> stop() override {
    trace_.emplace_back(may_release_ ? "release" : "keep");
    co_return;
  }
  void forgo_release() override { may_release_ = false; }
  State state() const override { return state_; }
  void on_change(std::function<void()> callback) override { callback_ = std::move(callback); }
  const leader::Fence& fence() const override { return fence_; }
  leader::ElectorStatus status() const override { return {}; }
  void become(State state) {
    state_ = state;
    callback_();
  }

 private:
  Trace& trace_;
  leader::Fence fence_;
  State state_ = State::kStandby;
  bool may_release_ = true;
  std::function<void()> callback_;
};

// Its stop() takes so long, unless it is aborted.
class Service final : public async::Runnable {
 public:
  Service(async::Clock& clock, Trace& trace, std::string name, async::Duration stop_time)
      : clock_(clock), trace_(trace), name_(std::move(name)), stop_time_(stop_time) {}
  std::string name() const override { return name_; }
  Task<void> start() override {
    trace_.push_back("start " + name_);
    co_return rejection ? Result<void>(*rejection) : Result<void>();
  }
  asio::awaitable<void> stop() override {
    co_await async::finish_within(clock_, stop_time_, aborted_.wait());
    trace_.push_back("stopped " + name_);
    if (breaks) throw std::runtime_error(name_);
  }
  void abort() override {
    trace_.push_back("abort " + name_);
    aborted_.notify_all();
  }
  void takes(async::Duration stop_time) { stop_time_ = stop_time; }
  std::optional<Error> rejection;
  bool breaks = false;

 private:
  async::Clock& clock_;
  Trace& trace_;
  std::string name_;
  async::Duration stop_time_;
  async::Notify aborted_;
};

struct ManagerWithElector {
  ManagerWithElector() {
    manager.elect_by(elector);
    manager.add(Group::kServers, server);
    manager.add(Group::kControllers, controller);
  }
  // Runs the manager and the steps concurrently; requests the stop after the steps.
  Result<void> run(std::function<asio::awaitable<void>()> steps) {
    return testing::result_of(loop, manager.run(steps));
  }
  asio::awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }
  [[nodiscard]] async::Duration passed() { return loop.clock().now() - began; }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  Trace trace;
  FakeElector elector{loop.clock(), trace};
  Service server{loop.clock(), trace, "server", 0s};
  Service controller{loop.clock(), trace, "controller", 5s};
  Manager manager{loop.clock(), Logger(sink), 30s};
  async::TimePoint began = loop.clock().now();
};

TEST_CASE("a standby runs everything except controllers, and stops competing when a stop is requested") {
  ManagerWithElector world;

  auto result = world.run([&]() -> asio::awaitable<void> { co_await world.pass(1h); });

  CHECK(result);
  CHECK(world.trace == Trace{"start server", "compete", "release", "stopped server"});
}

TEST_CASE("an exception during the stop prevents neither the stop of other services nor the release of the lease") {
  ManagerWithElector world;
  world.controller.breaks = true;

  auto result = world.run([&]() -> asio::awaitable<void> {
    co_await world.pass(1s);
    world.elector.become(State::kLeading);
    co_await world.pass(1s);
  });

  REQUIRE_FALSE(result);
  CHECK(result.error().message() == "unhandled exception in a service: controller");
  CHECK(world.trace ==
        Trace{"start server", "compete", "start controller", "stopped controller", "stopped server", "release"});
}

TEST_CASE("P3: controllers start on the leader, which releases the lease after everything else has stopped") {
  ManagerWithElector world;

  auto result = world.run([&]() -> asio::awaitable<void> {
    co_await world.pass(1s);
    world.elector.become(State::kLeading);
    co_await world.pass(1s);
  });

  CHECK(result);
  CHECK(world.trace ==
        Trace{"start server", "compete", "start controller", "stopped controller", "stopped server", "release"});
  CHECK(world.passed() == 7s);
}

TEST_CASE("the leader does not release the lease after controllers were aborted") {
  ManagerWithElector world;
  world.controller.takes(31s);

  auto result = world.run([&]() -> asio::awaitable<void> {
    world.elector.become(State::kLeading);
    co_await world.pass(1s);
  });

  CHECK_FALSE(result);
  CHECK(world.passed() == 31s);
  CHECK(world.trace == Trace{"start server", "compete", "start controller", "abort controller", "stopped controller",
                             "abort server", "stopped server", "keep"});
}

TEST_CASE("P2: a lost lease ends everything immediately and is the error") {
  ManagerWithElector world;

  auto result = world.run([&]() -> asio::awaitable<void> {
    world.elector.become(State::kLeading);
    co_await world.pass(1s);
    world.elector.become(State::kLost);
    co_await world.pass(1h);
  });

  REQUIRE_FALSE(result);
  CHECK(result.error().message() == "leader election lost");
  CHECK(world.passed() == 1s);
  CHECK(world.trace == Trace{"start server", "compete", "start controller", "abort controller", "stopped controller",
                             "abort server", "stopped server", "keep"});
}

TEST_CASE("a lease that is lost while controllers finish aborts them") {
  ManagerWithElector world;
  std::unique_ptr<async::Timer> losing;

  auto result = world.run([&]() -> asio::awaitable<void> {
    world.elector.become(State::kLeading);
    co_await world.pass(1s);
    losing = world.loop.clock().call_at(world.loop.clock().now() + 2s, [&] { world.elector.become(State::kLost); });
  });

  REQUIRE_FALSE(result);
  CHECK(result.error().message() == "leader election lost");
  CHECK(world.passed() == 3s);
}

TEST_CASE("a controller that fails to start ends the leader") {
  ManagerWithElector world;
  world.controller.rejection = invalid_error("no such kind");

  auto result = world.run([&]() -> asio::awaitable<void> {
    world.elector.become(State::kLeading);
    co_await world.pass(1h);
  });

  REQUIRE_FALSE(result);
  CHECK(result.error().message() == "starting controller: no such kind");
  CHECK(world.trace.back() == "release");
}

TEST_CASE("the elector does not compete before the other services have started") {
  ManagerWithElector world;
  world.server.rejection = invalid_error("address in use");

  auto result = world.run([&]() -> asio::awaitable<void> { co_await world.pass(1h); });

  REQUIRE_FALSE(result);
  CHECK(world.trace == Trace{"start server", "release", "stopped server"});
}

}  // namespace
}  // namespace keelson::lifecycle
