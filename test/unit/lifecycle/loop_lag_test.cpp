#include "keelson/detail/lifecycle/loop_lag.hpp"

#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::lifecycle {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

bool shows_lag(metrics::Registry& registry, const std::string& seconds) {
  return registry.text().find("\nkeelson_loop_lag_seconds " + seconds + "\n") != std::string::npos;
}

TEST_CASE("the metric shows the longest delay of the loop since the last scrape") {
  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  LoopLag lag(loop.executor(), loop.clock(), registry);
  CHECK(testing::result_of(loop, lag.start()));
  loop.poll();
  CHECK(shows_lag(registry, "0"));

  // Time goes on while the loop does nothing: it is busy with something else.
  loop.clock().advance(3500ms);
  loop.poll();
  loop.clock().advance(1250ms);
  loop.poll();

  CHECK(shows_lag(registry, "2.5"));
  CHECK(shows_lag(registry, "0"));
  loop.run(lag.stop());
}

TEST_CASE("the metric shows a stall between two timers") {
  sandbox::loop::TestLoop loop;
  // Without work to wait for, Asio does not poll the kernel, and the turn does not end.
  auto far = loop.real_clock().call_at(loop.real_clock().now() + 24h, [] {});
  metrics::Registry registry;
  LoopLag lag(loop.executor(), loop.clock(), registry);
  CHECK(testing::result_of(loop, lag.start()));
  loop.poll();
  CHECK(shows_lag(registry, "0"));

  asio::post(loop.executor(), [&loop] { loop.clock().advance(397ms); });
  loop.poll();

  CHECK(shows_lag(registry, "0.397"));
  CHECK(shows_lag(registry, "0"));
  loop.run(lag.stop());
}

TEST_CASE("a histogram counts every turn, in its bucket and in the sum") {
  sandbox::loop::TestLoop loop;
  auto far = loop.real_clock().call_at(loop.real_clock().now() + 24h, [] {});
  metrics::Registry registry;
  LoopLag lag(loop.executor(), loop.clock(), registry);
  loop.poll();
  const auto count_up_to = [&](const std::string& bound) {
    const auto text = registry.text();
    const auto name = "\nkeelson_loop_turn_seconds_bucket{le=\"" + bound + "\"} ";
    const auto at = text.find(name);
    REQUIRE(at != std::string::npos);
    return std::stoi(text.substr(at + name.size()));
  };
  const int before = count_up_to("0.005");
  const int all_before = count_up_to("+Inf");

  for (auto time : {3ms, 4ms, 397ms}) {
    asio::post(loop.executor(), [&loop, time] { loop.clock().advance(time); });
    loop.poll();
  }

  CHECK(count_up_to("0.002") == count_up_to("0.0001"));
  CHECK(count_up_to("0.005") - count_up_to("0.002") == 2);
  CHECK(count_up_to("+Inf") - count_up_to("0.25") == 1);
  CHECK(count_up_to("0.005") - before >= 2);
  CHECK(count_up_to("+Inf") - all_before >= 3);
  CHECK(registry.text().find("\nkeelson_loop_turn_seconds_sum 0.404\n") != std::string::npos);
}

TEST_CASE("a scrape and a chart each see the longest delay since they last read it") {
  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  LoopLag lag(loop.executor(), loop.clock(), registry);
  CHECK(testing::result_of(loop, lag.start()));
  loop.poll();
  static_cast<void>(lag.take_recent());

  loop.clock().advance(3500ms);
  loop.poll();

  CHECK(lag.recent() == 2500ms);
  CHECK(shows_lag(registry, "2.5"));
  CHECK(lag.take_recent() == 2500ms);
  CHECK(lag.recent() == 0ms);
  loop.run(lag.stop());
}

}  // namespace
}  // namespace keelson::lifecycle
