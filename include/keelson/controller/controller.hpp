// A running controller: its queue, its workers, and the reconciler they call.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "keelson/async/runnable.hpp"
#include "keelson/controller/definition.hpp"

namespace keelson::controller {

struct ControllerOptions {
  int max_concurrent_reconciles = 1;
};

// Declares its informers in context.cache at once; start() waits for their first sync in the background (a kind that
// cannot be watched stops only this controller), then runs the workers. stop() lets running reconciles finish;
// cancel it (or destroy its time) and they unwind. Context, definition and executor must outlive it.
[[nodiscard]] std::unique_ptr<async::Runnable> make_controller(boost::asio::any_io_executor executor, Context& context,
                                                               const Definition& definition, ControllerOptions options);

}  // namespace keelson::controller
