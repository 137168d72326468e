// A running controller: its work queue, its workers, and the reconciler that the workers call.
//
// The program creates it from a Definition (definition.hpp), and the manager starts it when the replica has become the
// leader, or at once with without_leader_election(). Authors of operators do not need this header.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "keelson/async/runnable.hpp"
#include "keelson/controller/definition.hpp"

namespace keelson::controller {

struct ControllerOptions {
  // The number of workers, which is at least 1. Definition::max_concurrent_reconciles takes precedence.
  int max_concurrent_reconciles = 1;
};

// The constructor declares the informers in context.cache. start() returns immediately: in the background the
// controller waits until the informers have synced, logs those that do not sync within 2 minutes, and then runs its
// workers, so a kind that cannot be watched stops only this controller. stop() waits until running reconciles have
// finished; if stop() is canceled, they are canceled too. Context and definition must outlive the controller. Throws
// base::Misuse if the definition has no reconciler.
[[nodiscard]] std::unique_ptr<async::Runnable> make_controller(boost::asio::any_io_executor executor, Context& context,
                                                               const Definition& definition, ControllerOptions options);

}  // namespace keelson::controller
