// Reports an API server that does not answer: one error line with its address, 30 s after the start.
//
// Otherwise a manager with a wrong address, or behind a firewall that drops packets, would not become ready without an
// error.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/kube/rest_client.hpp"

namespace keelson::program {

class FirstAnswer final : public async::Runnable {
 public:
  // The limit of an attempt to connect.
  static constexpr async::Duration kLimit = std::chrono::seconds(30);

  FirstAnswer(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, std::string server)
      : clock_(clock), log_(std::move(log)), server_(std::move(server)), tasks_(std::move(executor)) {}

  // RestClientOptions::on_answer and on_failure of the clients of the process. A rejection by the API server counts as
  // an answer.
  void observe(const kube::Answer& answer) { has_answered_ = has_answered_ || answer.status != 0; }
  void observe(const Error& error);

  std::string name() const override { return "first answer"; }
  Task<void> start() override;
  boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] boost::asio::awaitable<void> report_silence();

  async::Clock& clock_;
  Logger log_;
  std::string server_;
  bool has_answered_ = false;
  std::optional<Error> last_error_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::program
