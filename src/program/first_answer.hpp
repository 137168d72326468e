// Reports an API server that does not answer: one error line with its address, 30 s after the start.
//
// Otherwise a manager with a wrong address, or behind a firewall that drops packets, would not become ready without an
// error.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

// The client of the whole process: forwards each request and observes whether any reply has come.
class FirstAnswer final : public kube::Client, public async::Runnable {
 public:
  // The limit of an attempt to connect.
  static constexpr async::Duration kLimit = std::chrono::seconds(30);

  FirstAnswer(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, std::string server,
              std::unique_ptr<kube::Client> client)
      : clock_(clock),
        log_(std::move(log)),
        server_(std::move(server)),
        client_(std::move(client)),
        tasks_(std::move(executor)) {}

  const kube::OperatorName& operator_name() const override { return client_->operator_name(); }
  boost::asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest request) override;
  boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest request) override;

  std::string name() const override { return "first answer"; }
  boost::asio::awaitable<Result<void>> start() override;
  boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] boost::asio::awaitable<Result<kube::ApiReply>> observed_send(kube::ApiRequest request);
  [[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> observed_stream(kube::ApiRequest request);
  [[nodiscard]] boost::asio::awaitable<void> report_silence();
  void observe(const Error* error);

  async::Clock& clock_;
  Logger log_;
  std::string server_;
  std::unique_ptr<kube::Client> client_;
  bool has_answered_ = false;
  std::optional<Error> last_error_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::program
