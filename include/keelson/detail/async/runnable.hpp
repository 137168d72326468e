// Runnable: a service that the manager starts and stops, such as a cache, a server or a controller.
//
// A runnable must outlive the manager, which does not own it. The manager calls start() once, in its start order
// (docs/design.md), and stop() once, with a grace period after which it calls abort(). All calls happen on the loop.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::async {

class Runnable {
 public:
  virtual ~Runnable() = default;

  // The name in logs and errors: "cache", "controller memcached".
  [[nodiscard]] virtual std::string name() const = 0;

  // Returns when the service is ready (listening, synced), or with the error that prevents it. Spawn what runs longer
  // into a TaskGroup of the service. A failure stops the whole program.
  [[nodiscard]] virtual Task<void> start() = 0;

  // Stops everything that start() began, and returns when it has ended. Called once, also after start() failed.
  [[nodiscard]] virtual boost::asio::awaitable<void> stop() = 0;

  // The grace period of the stop() in progress is over: cancel everything for which it still waits.
  virtual void abort() {}
};

}  // namespace keelson::async
