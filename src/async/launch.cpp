#include "src/async/launch.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <utility>

namespace keelson::async {
namespace asio = boost::asio;

namespace {

asio::awaitable<void> run_to_end(asio::awaitable<void> task) {
  std::exception_ptr failure;
  try {
    co_await std::move(task);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await asio::this_coro::throw_if_cancelled(false);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void launch(const asio::any_io_executor& executor, asio::awaitable<void> task, asio::cancellation_slot slot,
            std::function<void(std::exception_ptr)> on_end) {
  asio::co_spawn(executor, run_to_end(std::move(task)), asio::bind_cancellation_slot(slot, std::move(on_end)));
}

}  // namespace keelson::async
