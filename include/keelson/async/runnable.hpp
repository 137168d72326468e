// A service of the manager: runs until it is told to stop.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/base/result.hpp"

namespace keelson::async {

class Runnable {
 public:
  virtual ~Runnable() = default;

  // For logs: "cache", "controller memcached".
  [[nodiscard]] virtual std::string name() const = 0;

  // Becomes ready to do its work (listening, synced) or says why it never will.
  [[nodiscard]] virtual boost::asio::awaitable<Result<void>> start() = 0;

  // Ends everything that start() began and returns when nothing of it runs any more. Called once,
  // also after a failed start.
  [[nodiscard]] virtual boost::asio::awaitable<void> stop() = 0;

  // The grace period of a stop() in progress is over: cancel what it still waits for.
  virtual void abort() {}
};

}  // namespace keelson::async
