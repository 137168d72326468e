#include "keelson/detail/zpages/history.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/zpages/page.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::zpages {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct HistoryOnClock {
  void run_for(async::Duration duration) {
    loop.run([&]() -> asio::awaitable<void> {
      auto started = co_await history.start();
      CHECK(started.has_value());
      co_await async::sleep_for(loop.clock(), duration);
      co_await history.stop();
    });
  }

  sandbox::loop::TestLoop loop;
  History history{loop.executor(), loop.clock()};
};

TEST_CASE("a point is added every ten seconds") {
  HistoryOnClock fixture;
  double depth = 0;
  fixture.history.add("depth", History::Sampling::kValue, [&depth] { return depth += 2; });

  fixture.run_for(35s);

  CHECK(fixture.history.points("depth") == std::vector<float>{4, 6, 8});
  CHECK(fixture.history.points("unknown").empty());
}

TEST_CASE("the points of a total are its increase per second") {
  HistoryOnClock fixture;
  double total = 1000;
  fixture.history.add("rate", History::Sampling::kTotal, [&] { return total += 50; });

  fixture.run_for(25s);

  CHECK(fixture.history.points("rate") == std::vector<float>{5, 5});
}

TEST_CASE("a total that decreases gives no negative point") {
  HistoryOnClock fixture;
  double total = 100;
  fixture.history.add("rate", History::Sampling::kTotal, [&] { return total -= 10; });

  fixture.run_for(15s);

  CHECK(fixture.history.points("rate") == std::vector<float>{0});
}

TEST_CASE("the numbers of points and of series are limited") {
  HistoryOnClock fixture;
  int calls = 0;
  for (std::size_t i = 0; i < limits::kHistorySeries + 5; ++i) {
    fixture.history.add(std::to_string(i), History::Sampling::kValue, [&calls] { return ++calls; });
  }

  fixture.run_for(History::kInterval * 100 + 1s);

  CHECK(fixture.history.points("0").size() == limits::kHistoryPoints);
  CHECK(fixture.history.points(std::to_string(limits::kHistorySeries)).empty());
  CHECK(calls == 101 * static_cast<int>(limits::kHistorySeries));
}

}  // namespace
}  // namespace keelson::zpages
