// The one place where a coroutine meets a callback: suspends until `resume` is called or cancellation ends the wait.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>

namespace keelson::async {

enum class OnCancel {
  kUnwind,       // the callback was taken back: `resume` is not called any more, the coroutine unwinds
  kKeepWaiting,  // `resume` will still be called; the coroutine unwinds, if it does, at its next await
};

// `begin` gets the function that resumes; it may be called once, from the loop, not from within begin.
// `cancel` is called when terminal cancellation comes during the wait.
[[nodiscard]] boost::asio::awaitable<void> suspend(std::function<void(std::function<void()>)> begin,
                                                   std::function<OnCancel()> cancel);

}  // namespace keelson::async
