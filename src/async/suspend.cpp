#include "src/async/suspend.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>

namespace keelson::async {
namespace asio = boost::asio;

namespace {

// The suspended coroutine. It is resumed exactly once: by the callback or by cancellation, whichever is first.
template <class Handler>
struct Waiter {
  explicit Waiter(Handler h) : handler(std::move(h)), work(asio::get_associated_executor(*handler)) {}

  void finish(boost::system::error_code result) {
    if (!handler) return;
    auto slot = asio::get_associated_cancellation_slot(*handler);
    if (slot.is_connected()) slot.clear();
    auto resumed = std::move(*handler);
    handler.reset();
    asio::post(work, [resumed = std::move(resumed), result]() mutable { std::move(resumed)(result); });
  }

  std::optional<Handler> handler;
  asio::associated_executor_t<Handler> work;
};

}  // namespace

asio::awaitable<void> suspend(std::function<void(std::function<void()>)> begin, std::function<OnCancel()> cancel) {
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void(boost::system::error_code)>(
      [&begin, &cancel](auto handler) {
        using Handler = decltype(handler);
        auto slot = asio::get_associated_cancellation_slot(handler);
        auto waiter = std::make_shared<Waiter<Handler>>(std::move(handler));
        if (slot.is_connected()) {
          slot.assign([waiter, cancel](asio::cancellation_type kind) {
            if ((kind & asio::cancellation_type::terminal) == asio::cancellation_type::none) return;
            // Clearing the slot destroys this function.
            auto kept = waiter;  // NOLINT(performance-unnecessary-copy-initialization)
            auto ask = cancel;
            if (ask() == OnCancel::kUnwind) kept->finish(asio::error::operation_aborted);
          });
        }
        begin([waiter] { waiter->finish({}); });
      },
      asio::use_awaitable);
}

}  // namespace keelson::async
