// run_until: runs the event loop by hand, for a program that ends when its work has ended and not when the loop is
// idle.
#pragma once

#include <functional>

namespace boost::asio {
class io_context;
}

namespace keelson::async {

// Runs handlers of `loop` until `is_done` returns true, which is asked before each of them. Call it again for further
// work: a loop without work stops for good, and boost::asio::io_context::run_one() then returns at once, so that a loop
// around it would use a whole core and execute nothing.
//
// While nothing can be executed it waits without CPU time. Exceptions of handlers and of `is_done` are passed on.
void run_until(boost::asio::io_context& loop, const std::function<bool()>& is_done);

}  // namespace keelson::async
