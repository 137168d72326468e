#include "keelson/detail/lifecycle/manager.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::lifecycle {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Trace = std::vector<std::string>;

// Records its calls. stop() takes the given time unless it is aborted.
class Service final : public async::Runnable {
 public:
  Service(async::Clock& clock, Trace& trace, std::string name, async::Duration stop_time = 0s)
      : clock_(clock), trace_(trace), name_(std::move(name)), stop_time_(stop_time) {}

  std::string name() const override { return name_; }
  Task<void> start() override {
    trace_.push_back("start " + name_);
    co_return start_;
  }
  asio::awaitable<void> stop() override {
    trace_.push_back("stop " + name_);
    if (stop_time_ > 0s) {
      auto over = clock_.call_at(clock_.now() + stop_time_, [this] { ended_.notify_all(); });
      co_await ended_.wait();
    }
    trace_.push_back("ended " + name_);
  }
  void abort() override {
    trace_.push_back("abort " + name_);
    ended_.notify_all();
  }
  void fail_start(Error error) { start_ = std::move(error); }

 private:
  async::Clock& clock_;
  Trace& trace_;
  std::string name_;
  async::Duration stop_time_;
  Result<void> start_;
  async::Notify ended_;
};

struct ManagerOfServices {
  explicit ManagerOfServices(async::Duration grace) : manager(loop.clock(), Logger(sink), grace) {}

  Service& add(Group group, std::string name, async::Duration stop_time = 0s) {
    auto& made = *services.emplace_back(std::make_unique<Service>(loop.clock(), trace, std::move(name), stop_time));
    manager.add(group, made);
    return made;
  }
  // A run whose stop is requested when everything has started.
  Result<void> run() {
    Result<void> result;
    loop.run([&]() -> asio::awaitable<void> {
      auto at_once = [this]() -> asio::awaitable<void> {
        trace.emplace_back("running");
        co_return;
      };
      result = co_await manager.run(at_once);
    });
    return result;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  Trace trace;
  std::vector<std::unique_ptr<Service>> services;
  Manager manager;
};

TEST_CASE("services start in the order of their groups, and within a group as they were added") {
  ManagerOfServices fixture(30s);
  fixture.add(Group::kControllers, "controller");
  fixture.add(Group::kCaches, "cache");
  fixture.add(Group::kServers, "health");
  fixture.add(Group::kOthers, "events");
  fixture.add(Group::kServers, "metrics");
  fixture.add(Group::kWebhooks, "webhook");

  auto result = fixture.run();

  CHECK(result.has_value());
  fixture.trace.resize(7);
  CHECK(fixture.trace == Trace{"start health", "start metrics", "start webhook", "start cache", "start events",
                               "start controller", "running"});
}

TEST_CASE("groups stop one after another: a service stops after the services that use it") {
  ManagerOfServices fixture(30s);
  fixture.add(Group::kServers, "health", 1s);
  fixture.add(Group::kWebhooks, "webhook", 1s);
  fixture.add(Group::kCaches, "cache", 1s);
  fixture.add(Group::kOthers, "events", 1s);
  fixture.add(Group::kControllers, "controller", 1s);

  auto result = fixture.run();

  CHECK(result.has_value());
  fixture.trace.erase(fixture.trace.begin(), fixture.trace.begin() + 6);
  CHECK(fixture.trace == Trace{"stop controller", "ended controller", "stop events", "ended events", "stop cache",
                               "ended cache", "stop webhook", "ended webhook", "stop health", "ended health"});
  CHECK(fixture.sink.entries().front().message == "Stopping and waiting for leader election runnables");
  CHECK(fixture.sink.entries().back().message == "Wait completed, proceeding to shutdown the manager");
}

TEST_CASE("services of a group stop concurrently") {
  ManagerOfServices fixture(30s);
  fixture.add(Group::kControllers, "slow", 2s);
  fixture.add(Group::kControllers, "fast", 1s);

  auto result = fixture.run();

  CHECK(result.has_value());
  fixture.trace.erase(fixture.trace.begin(), fixture.trace.begin() + 3);
  CHECK(fixture.trace == Trace{"stop slow", "stop fast", "ended fast", "ended slow"});
}

TEST_CASE("a failed start stops all started services, itself included, and is the error") {
  ManagerOfServices fixture(30s);
  fixture.add(Group::kServers, "health");
  fixture.add(Group::kCaches, "cache").fail_start(invalid_error("no such kind"));
  fixture.add(Group::kControllers, "controller");

  auto result = fixture.run();

  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().message() == "starting cache: no such kind");
  CHECK(fixture.trace ==
        Trace{"start health", "start cache", "stop cache", "ended cache", "stop health", "ended health"});
}

TEST_CASE("a failed start is the error even when the stop after it took too long") {
  ManagerOfServices fixture(1s);
  fixture.add(Group::kServers, "health", 5s);
  fixture.add(Group::kCaches, "cache").fail_start(invalid_error("no such kind"));

  auto result = fixture.run();

  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().message() == "starting cache: no such kind");
}

TEST_CASE("P7: a service that has not ended within the grace period is aborted, and that is an error") {
  ManagerOfServices fixture(30s);
  fixture.add(Group::kServers, "health", 1s);
  fixture.add(Group::kControllers, "controller", 31s);
  auto begin = fixture.loop.clock().now();

  auto result = fixture.run();

  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().kind == Error::Kind::kTimeout);
  CHECK(result.error().message() ==
        "failed waiting for all runnables to end within grace period of 30s: context deadline exceeded");
  fixture.trace.erase(fixture.trace.begin(), fixture.trace.begin() + 3);
  CHECK(fixture.trace == Trace{"stop controller", "abort controller", "ended controller", "stop health", "abort health",
                               "ended health"});
  CHECK(fixture.loop.clock().now() - begin == 30s);
}

TEST_CASE("all groups share one grace period") {
  ManagerOfServices fixture(30s);
  fixture.add(Group::kCaches, "cache", 20s);
  fixture.add(Group::kControllers, "controller", 20s);
  auto begin = fixture.loop.clock().now();

  auto result = fixture.run();

  CHECK_FALSE(result.has_value());
  CHECK(fixture.trace.back() == "ended cache");
  CHECK(fixture.loop.clock().now() - begin == 30s);
}

TEST_CASE("without a grace period everything is aborted immediately, and that is a success") {
  ManagerOfServices fixture(0s);
  fixture.add(Group::kServers, "health", 1s);
  fixture.add(Group::kControllers, "controller", 24h);
  auto begin = fixture.loop.clock().now();

  auto result = fixture.run();

  CHECK(result.has_value());
  fixture.trace.erase(fixture.trace.begin(), fixture.trace.begin() + 3);
  CHECK(fixture.trace == Trace{"stop controller", "abort controller", "ended controller", "stop health", "abort health",
                               "ended health"});
  CHECK(fixture.loop.clock().now() == begin);
}

TEST_CASE("a negative grace period waits for as long as it takes") {
  ManagerOfServices fixture(-1ns);
  fixture.add(Group::kControllers, "controller", 24h * 365);
  auto begin = fixture.loop.clock().now();

  auto result = fixture.run();

  CHECK(result.has_value());
  CHECK(fixture.trace.back() == "ended controller");
  CHECK(fixture.loop.clock().now() - begin == 24h * 365);
}

}  // namespace
}  // namespace keelson::lifecycle
