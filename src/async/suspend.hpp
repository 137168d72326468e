// suspend(): the only bridge from callbacks to coroutines. It waits until `resume` is called or the caller is
// canceled.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>

namespace keelson::async {

enum class OnCancel {
  kUnwind,       // the callback was removed, so `resume` is not called any more: the coroutine unwinds
  kKeepWaiting,  // `resume` will still be called; the cancellation takes effect at the coroutine's next await
};

// `begin` receives the function `resume`, which may be called once, from the loop, not inside `begin`. `cancel` is
// called if terminal cancellation arrives during the wait.
[[nodiscard]] boost::asio::awaitable<void> suspend(std::function<void(std::function<void()>)> begin,
                                                   std::function<OnCancel()> cancel);

}  // namespace keelson::async
