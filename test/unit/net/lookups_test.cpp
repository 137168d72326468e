// Name lookups that callers share, with a resolver whose answers the test triggers.
#include "src/net/lookups.hpp"

#include <boost/asio/error.hpp>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "keelson/async/task_group.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/net/tcp_connect.hpp"

using namespace keelson;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

struct Begun {
  std::string name;
  std::function<void(net::Lookups::Answer)> on_end;
};

struct SharedLookups {
  SharedLookups() {
    lookups = std::make_unique<net::Lookups>([this](const std::string& host, const std::string& port, auto on_end) {
      begun.push_back({host + ":" + port, std::move(on_end)});
    });
  }

  SharedLookups(const SharedLookups&) = delete;
  SharedLookups& operator=(const SharedLookups&) = delete;
  ~SharedLookups() {
    stayers.stop();
    leavers.stop();
    loop.poll();
  }

  asio::awaitable<void> ask(std::string host, std::string port) {
    auto answer = co_await lookups->find(host, port);
    if (answer.failed) told.push_back(host + " " + answer.failed.message());
    for (const auto& endpoint : answer.endpoints) told.push_back(host + " " + endpoint.address().to_string());
  }
  void spawn(async::TaskGroup& group, const std::string& host, const std::string& port = "443") {
    group.spawn(ask(host, port));
    loop.poll();
  }
  void leave(async::TaskGroup& group) {
    group.stop();
    loop.run(group.join());
  }

  void answer(std::size_t index, const std::string& address) {
    begun[index].on_end({{}, {tcp::endpoint(asio::ip::make_address(address), 443)}});
    loop.poll();
  }
  void fail(std::size_t index) {
    begun[index].on_end({asio::error::host_not_found_try_again, {}});
    loop.poll();
  }

  sandbox::loop::TestLoop loop;
  async::TaskGroup stayers{loop.executor()};
  async::TaskGroup leavers{loop.executor()};
  std::vector<Begun> begun;
  std::vector<std::string> told;
  std::unique_ptr<net::Lookups> lookups;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("concurrent requests for a name share one lookup") {
  SharedLookups world;

  for (int i = 0; i < 20; ++i) world.spawn(world.stayers, "api");
  CHECK(world.begun.size() == 1);
  CHECK(world.lookups->pending() == 1);
  world.answer(0, "10.0.0.1");

  CHECK(world.told == Texts(20, "api 10.0.0.1"));
  CHECK(world.lookups->pending() == 0);
}

TEST_CASE("a lookup is not started if all of its callers were canceled before") {
  SharedLookups world;
  world.spawn(world.stayers, "slow");
  world.spawn(world.leavers, "api");
  world.spawn(world.leavers, "api");

  world.leave(world.leavers);
  CHECK(world.lookups->pending() == 1);
  world.answer(0, "10.0.0.1");

  CHECK(world.begun.size() == 1);
  CHECK(world.told == Texts{"slow 10.0.0.1"});
  CHECK(world.lookups->pending() == 0);
}

TEST_CASE("a lookup that one of several callers left is made for the others") {
  SharedLookups world;
  world.spawn(world.stayers, "slow");
  world.spawn(world.leavers, "api");
  world.spawn(world.stayers, "api");

  world.leave(world.leavers);
  world.answer(0, "10.0.0.1");
  REQUIRE(world.begun.size() == 2);
  world.answer(1, "10.0.0.2");

  CHECK(world.told == Texts{"slow 10.0.0.1", "api 10.0.0.2"});
}

TEST_CASE("a new caller gets the answer of a lookup in progress that all others left") {
  SharedLookups world;
  world.spawn(world.leavers, "api");

  world.leave(world.leavers);
  world.spawn(world.stayers, "api");
  CHECK(world.begun.size() == 1);
  world.answer(0, "10.0.0.1");

  CHECK(world.told == Texts{"api 10.0.0.1"});
}

TEST_CASE("a new caller gets an answer for a name whose former lookup was never made") {
  SharedLookups world;
  world.spawn(world.stayers, "slow");
  world.spawn(world.leavers, "api");

  world.leave(world.leavers);
  world.spawn(world.stayers, "api");
  world.answer(0, "10.0.0.1");
  REQUIRE(world.begun.size() == 2);
  world.answer(1, "10.0.0.2");

  CHECK(world.told == Texts{"slow 10.0.0.1", "api 10.0.0.2"});
}

TEST_CASE("a lookup in progress that all callers left makes room for the next") {
  SharedLookups world;
  world.spawn(world.leavers, "slow");
  world.spawn(world.stayers, "api");

  world.leave(world.leavers);
  CHECK(world.lookups->pending() == 2);
  world.answer(0, "10.0.0.1");
  REQUIRE(world.begun.size() == 2);
  world.answer(1, "10.0.0.2");

  CHECK(world.told == Texts{"api 10.0.0.2"});
  CHECK(world.lookups->pending() == 0);
}

TEST_CASE("different names and ports are resolved one after another, each with its own answer") {
  SharedLookups world;

  world.spawn(world.stayers, "a", "443");
  world.spawn(world.stayers, "b", "443");
  world.spawn(world.stayers, "b", "6443");
  CHECK(world.begun.size() == 1);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(world.begun.size() == i + 1);
    world.answer(i, "10.0.0." + std::to_string(i));
  }

  CHECK(world.begun[0].name == "a:443");
  CHECK(world.begun[1].name == "b:443");
  CHECK(world.begun[2].name == "b:6443");
  CHECK(world.told == Texts{"a 10.0.0.0", "b 10.0.0.1", "b 10.0.0.2"});
}

TEST_CASE("an error is returned to all waiting callers, and the next caller starts a new lookup") {
  SharedLookups world;
  world.spawn(world.stayers, "api");
  world.spawn(world.stayers, "api");

  world.fail(0);
  CHECK(world.told.size() == 2);
  world.spawn(world.stayers, "api");
  REQUIRE(world.begun.size() == 2);
  world.answer(1, "10.0.0.1");

  auto failed = "api " + make_error_code(asio::error::host_not_found_try_again).message();
  CHECK(world.told == Texts{failed, failed, "api 10.0.0.1"});
}

TEST_CASE("connections of a loop share its lookups") {
  sandbox::loop::TestLoop loop;
  int made = 0;
  auto never = [&](const std::string&, const std::string&, const auto&) { ++made; };
  auto& lookups = net::set_resolver(loop.executor(), never);
  async::TaskGroup group(loop.executor());
  Texts failures;
  auto connect = [&]() -> asio::awaitable<void> {
    auto socket = co_await net::connect_tcp(loop.clock(), "api", "443", 5s);
    failures.push_back(socket.error().text);
  };

  for (int i = 0; i < 3; ++i) group.spawn(connect());
  loop.run(group.join());

  CHECK(made == 1);
  CHECK(lookups.pending() == 1);
  CHECK(&net::lookups_of(loop.executor()) == &lookups);
  CHECK(failures == Texts(3, "dial tcp: lookup api: no answer within 5s"));
}
