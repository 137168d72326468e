#include "keelson/async/timeout.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>

namespace keelson::async {
namespace asio = boost::asio;

asio::awaitable<bool> finish_within(Clock& clock, Duration limit, asio::awaitable<void> work) {
  using namespace asio::experimental::awaitable_operators;
  auto when = clock.now() + limit;
  auto first = co_await (std::move(work) || sleep_until(clock, when));
  co_return first.index() == 0;
}

}  // namespace keelson::async
