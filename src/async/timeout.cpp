#include "keelson/async/timeout.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>

namespace keelson::async {
namespace asio = boost::asio;

namespace {

asio::awaitable<void> wait_past(Clock& clock, const std::function<TimePoint()>& deadline) {
  for (auto until = deadline(); clock.now() < until; until = deadline()) co_await sleep_until(clock, until);
}

}  // namespace

asio::awaitable<bool> finish_within(Clock& clock, Duration limit, asio::awaitable<void> work) {
  using namespace asio::experimental::awaitable_operators;
  auto when = clock.now() + limit;
  auto first = co_await (std::move(work) || sleep_until(clock, when));
  co_return first.index() == 0;
}

asio::awaitable<bool> finish_while_alive(Clock& clock, std::function<TimePoint()> deadline,
                                         asio::awaitable<void> work) {
  using namespace asio::experimental::awaitable_operators;
  auto first = co_await (std::move(work) || wait_past(clock, deadline));
  co_return first.index() == 0;
}

}  // namespace keelson::async
