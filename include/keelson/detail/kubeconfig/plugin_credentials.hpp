// The credential of an exec plugin: cached until it expires or the server rejects it, and requested once for all
// callers.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/kubeconfig/exec_credential.hpp"
#include "keelson/detail/kubeconfig/program.hpp"

namespace keelson::limits {

// The timeout of a plugin, with a terminal at which the user may have to log in, and without one.
inline constexpr std::chrono::minutes kPluginTimeAtTerminal{10};
inline constexpr std::chrono::seconds kPluginTime{60};

}  // namespace keelson::limits

namespace keelson::kube {

// The program runs in a task of its own, and all calls that need its credential wait for it. A canceled call does not
// stop it: otherwise a program that is slower than its callers' timeouts would never finish. Neither copied nor moved;
// the clock must outlive it, and it must outlive its calls. After a canceled call, await stop() before it is destroyed.
class PluginCredentials {
 public:
  // Never null in a Result. An equal credential of a later run is the same pointer, so callers compare pointers.
  using Credential = std::shared_ptr<const PluginCredential>;

  // Starts nothing: the plugin runs when the first call needs it. `run` is run_program, or a fake in tests.
  PluginCredentials(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, ExecPlugin plugin,
                    RunProgram run, Terminal terminal);
  PluginCredentials(const PluginCredentials&) = delete;
  PluginCredentials& operator=(const PluginCredentials&) = delete;

  // The credential, from the cache or from a run. Fails with the error of the run, also for kPause after it, so that a
  // broken plugin is not started for each request.
  [[nodiscard]] Task<Credential> current();

  // The server rejected the credential: the plugin runs again for the next call, unless it has returned another one
  // since.
  void reject(const Credential& sent);

  // Kills the program if it runs. Calls that wait for it, and all later ones, fail with kTransport.
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // The minimum time between two runs.
  static constexpr async::Duration kPause = std::chrono::seconds(5);

 private:
  // What current() returns without a run; nullopt if the plugin must run.
  [[nodiscard]] std::optional<Result<Credential>> known() const;
  [[nodiscard]] boost::asio::awaitable<void> run();
  [[nodiscard]] Task<PluginCredential> ask();
  [[nodiscard]] Result<PluginCredential> read(const ProgramEnd& end) const;

  async::Clock& clock_;
  Logger log_;
  ExecPlugin plugin_;
  RunProgram run_;
  Terminal terminal_;
  Credential credential_;         // the last one, or null
  std::optional<Error> failure_;  // of the last run
  bool is_rejected_ = false;
  async::TimePoint next_run_;
  async::TaskGroup runs_;  // at most one
};

}  // namespace keelson::kube
