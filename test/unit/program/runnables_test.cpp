#include "src/program/runnables.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "test/support/result_of.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

namespace keelson::program {
namespace {

using boost::asio::awaitable;
using namespace std::chrono_literals;

// A program with a runnable, and its reports.
struct StartedRunnable {
  explicit StartedRunnable(std::function<Task<void>(controller::Context&)> function)
      : declared{"backup", std::move(function)},
        runnable(make_function_runnable(world.loop.executor(), world.context, declared,
                                        [this](const Error& error) { failures.push_back(error.message()); })) {}

  void run(async::Duration time = 1min) {
    world.loop.run(sandbox::loop::TestLoop::Body([this, time]() -> awaitable<void> {
      auto started = co_await runnable->start();
      CHECK(started);
      co_await async::sleep_for(world.loop.clock(), time);
      co_await runnable->stop();
    }));
  }

  testing::ControllerOnFakes world{[](kube::Key, Logger) { return done(); }};
  FunctionRunnable declared;
  std::vector<std::string> failures;
  std::unique_ptr<async::Runnable> runnable;

 private:
  static Task<controller::Outcome> done() { co_return controller::Outcome::done(); }
};

Task<void> fail_after_a_second(controller::Context& context) {
  co_await async::sleep_for(context.clock, 1s);
  co_return transport_error("the store is closed");
}

Task<void> throw_at_once(controller::Context& context) {
  if (context.definition == nullptr) throw std::runtime_error("no store");
  co_return Result<void>();
}

Task<void> wait_an_hour(controller::Context& context, bool& has_unwound) {
  struct Unwound {
    bool& is;
    ~Unwound() { is = true; }
  };
  const Unwound unwound{has_unwound};
  co_await async::sleep_for(context.clock, 1h);
  co_return transport_error("not cancelled");
}

Task<void> end_early(controller::Context&) { co_return Result<void>(); }

awaitable<net::Response> name_of(controller::Context& context, net::Request request) {
  co_return net::Response{200, {}, context.client.operator_name().text() + " " + request.target};
}

TEST_CASE("an Error of a runnable is logged and ends the program, and so is an exception") {
  StartedRunnable fails(fail_after_a_second);
  fails.run();
  CHECK(fails.failures == std::vector<std::string>{"runnable backup: the store is closed"});
  REQUIRE(fails.world.lines.find("Runnable failed") != nullptr);
  CHECK(fails.world.lines.find("Runnable failed")->fields.at("runnable") == "\"backup\"");
  CHECK(fails.world.lines.find("Runnable failed")->fields.at("error") == "the store is closed");

  StartedRunnable throws(throw_at_once);
  throws.run();
  CHECK(throws.failures == std::vector<std::string>{"runnable backup: panic: no store"});
}

TEST_CASE("a runnable that ends with success does not end the program") {
  StartedRunnable fixture(end_early);

  fixture.run();

  CHECK(fixture.failures.empty());
}

TEST_CASE("a runnable is canceled when the program stops, and that is not a failure") {
  bool has_unwound = false;
  StartedRunnable fixture([&](controller::Context& context) { return wait_an_hour(context, has_unwound); });

  fixture.run();

  CHECK(has_unwound);
  CHECK(fixture.failures.empty());
  CHECK(fixture.world.lines.find("Runnable failed") == nullptr);
}

TEST_CASE("the first failure is the reason for the end of the program") {
  sandbox::loop::TestLoop loop;
  ProgramEnd end(loop.executor());

  loop.run(sandbox::loop::TestLoop::Body([&]() -> awaitable<void> {
    end.fail(transport_error("first"));
    end.fail(transport_error("second"));
    co_await end.wait();
    co_await end.stop();
  }));

  REQUIRE(end.failure());
  CHECK(end.failure()->text == "first");
}

TEST_CASE("an endpoint's function gets the context and the request") {
  StartedRunnable fixture(end_early);
  Additions additions;
  additions.endpoints.push_back({"/names", name_of});
  const auto endpoints = endpoints_of(fixture.world.context, additions);
  REQUIRE(endpoints.size() == 1);
  CHECK(endpoints[0].path == "/names");

  const auto reply = testing::result_of(fixture.world.loop, endpoints[0].handler({.target = "/names?all"}));

  CHECK(reply.response.status == 200);
  CHECK(reply.response.body == "keelson /names?all");
}

}  // namespace
}  // namespace keelson::program
