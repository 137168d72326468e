// One life of a manager with its controllers: all that is gone after a crash.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/runnable.hpp"
#include "keelson/controller/controller_runtime.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/sandbox/simulation/webhook_endpoint.hpp"

namespace keelson::sandbox {

// What a life is made of; all of it outlives the life.
struct LifeParts {
  boost::asio::any_io_executor executor;
  async::Clock& clock;
  base::Random& random;
  LogSink& sink;
  kube::Client& api;
  const std::vector<controller::Definition>& definitions;
  const std::vector<webhook::Webhook>& webhooks;
};

class ManagerLife {
 public:
  // `name` is what its Events say who reports them.
  ManagerLife(const LifeParts& parts, const std::string& name, std::function<const char*(const char*)> environment,
              controller::FlagValues flags);
  ManagerLife(const ManagerLife&) = delete;
  ManagerLife& operator=(const ManagerLife&) = delete;

  // A standby has done the first, a leader both.
  [[nodiscard]] boost::asio::awaitable<Result<void>> fill_caches();
  [[nodiscard]] boost::asio::awaitable<Result<void>> work();
  // Stops it in the middle of whatever it does: nothing is finished, no reply is read. Only call_webhook() may be
  // called from then on; it fails.
  [[nodiscard]] boost::asio::awaitable<void> crash();
  // A call that the crash interrupts fails; it may outlive the life.
  [[nodiscard]] boost::asio::awaitable<Result<net::Response>> call_webhook(WebhookCall call) {
    return webhooks_->answer(std::move(call));
  }

 private:
  metrics::Registry registry_;
  controller::ControllerRuntime controllers_;
  std::unique_ptr<WebhookEndpoint> webhooks_;
};

}  // namespace keelson::sandbox
