// Reports namespaces of --watch-namespaces that do not exist: a watch of such a namespace works and never has an event,
// so that a misspelled name would remain unnoticed.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

// A manager may create Events and mostly not read namespaces. Therefore the check is a server-side dry run of an Event
// in the namespace, which the API server rejects with 404 if the namespace does not exist. A namespace in which the
// manager may not create Events is not checked.
class WatchedNamespaces final : public async::Runnable {
 public:
  // The time between two checks of a namespace that did not exist.
  static constexpr async::Duration kAgain = std::chrono::minutes(1);

  WatchedNamespaces(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, kube::Client& client,
                    std::vector<std::string> names)
      : clock_(clock), log_(std::move(log)), client_(client), names_(std::move(names)), tasks_(std::move(executor)) {}

  std::string name() const override { return "watched namespaces"; }
  Task<void> start() override;
  boost::asio::awaitable<void> stop() override;

 private:
  enum class State { kExists, kMissing, kUnknown };
  [[nodiscard]] boost::asio::awaitable<State> check(std::string ns);
  // An error line for each missing one, and a line when it exists.
  [[nodiscard]] boost::asio::awaitable<void> observe();

  async::Clock& clock_;
  Logger log_;
  kube::Client& client_;
  std::vector<std::string> names_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::program
