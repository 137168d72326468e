// The credential of an exec plugin: kept until it expires or is refused, asked for once however many want it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "src/kube/exec_credential.hpp"
#include "src/kube/program.hpp"

namespace keelson::kube {

// The program runs beside the calls, and all who want its answer wait for it. A call that is cancelled leaves it
// running: one that is slower than a caller's time limit would otherwise never end. Neither copied nor moved; the clock
// must outlive it, and it its calls. After a call was cancelled, stop() must have ended before it is destroyed.
class PluginCredentials {
 public:
  using Credential = std::shared_ptr<const PluginCredential>;

  PluginCredentials(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, ExecPlugin plugin,
                    RunProgram run, Terminal terminal);
  PluginCredentials(const PluginCredentials&) = delete;
  PluginCredentials& operator=(const PluginCredentials&) = delete;

  // Fails with what the plugin or its output had wrong; that answer holds for kPause, so that a broken plugin is not
  // started for each request.
  [[nodiscard]] boost::asio::awaitable<Result<Credential>> current();

  // The server does not take it: the plugin is to be asked again, unless that has happened meanwhile.
  void refuse(const Credential& sent);

  // Kills the program if it runs; calls that wait for it fail, as all later ones do.
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // At least so much lies between two runs.
  static constexpr async::Duration kPause = std::chrono::seconds(5);

 private:
  [[nodiscard]] std::optional<Result<Credential>> known() const;
  [[nodiscard]] boost::asio::awaitable<void> run();
  [[nodiscard]] boost::asio::awaitable<Result<PluginCredential>> ask();
  [[nodiscard]] Result<PluginCredential> read(const ProgramEnd& end) const;

  async::Clock& clock_;
  Logger log_;
  ExecPlugin plugin_;
  RunProgram run_;
  Terminal terminal_;
  Credential credential_;         // the last one, or null
  std::optional<Error> failure_;  // of the last run
  bool is_refused_ = false;
  async::TimePoint next_run_;
  async::TaskGroup runs_;  // at most one
};

}  // namespace keelson::kube
