// The one place where a coroutine meets a callback: suspends until `resume` is called or cancellation
// comes, which takes the callback back with `cancel` and unwinds.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>

namespace keelson::async {

// `begin` gets the function that resumes; it may be called once, from the loop, not from within begin.
// `cancel` must see to it that resume is not called any more.
[[nodiscard]] boost::asio::awaitable<void> suspend(std::function<void(std::function<void()>)> begin,
                                                   std::function<void()> cancel);

}  // namespace keelson::async
