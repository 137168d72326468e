// A start of a manager with its controllers: everything that a crash destroys.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/net/url_client_parts.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/sandbox/simulation/webhook_endpoint.hpp"

namespace keelson::sandbox {

// The dependencies of a life; all of them outlive it.
struct LifeParts {
  boost::asio::any_io_executor executor;
  async::Clock& clock;
  base::Random& random;
  LogSink& sink;
  kube::Client& api;
  const std::vector<controller::Definition>& definitions;
  const std::vector<webhook::Webhook>& webhooks;
  net::MakeHttpClient make_http_client = {};  // empty: real connections
  bool is_dry_run = false;
};

class ManagerLife {
 public:
  // `name` is the reporting component of its Events.
  ManagerLife(const LifeParts& parts, const std::string& name, std::function<const char*(const char*)> environment,
              controller::FlagValues flags);
  ManagerLife(const ManagerLife&) = delete;
  ManagerLife& operator=(const ManagerLife&) = delete;

  // A standby calls only the first, a leader both.
  [[nodiscard]] Task<void> fill_caches();
  [[nodiscard]] Task<void> work();
  // Stops it immediately: no work is finished, and no reply is read. Afterward only call_webhook() may be called; it
  // fails.
  [[nodiscard]] boost::asio::awaitable<void> crash();
  // A call that the crash interrupts fails; it may outlive the life.
  [[nodiscard]] Task<net::Response> call_webhook(WebhookCall call) { return webhooks_->answer(std::move(call)); }
  // The page of objects (controller/debug_objects.hpp), in a format.
  [[nodiscard]] net::Response debug_objects(const std::string& query, const char* accepted);
  [[nodiscard]] std::string metrics() { return registry_.text(); }

 private:
  metrics::Registry registry_;
  controller::ControllerRuntime controllers_;
  std::unique_ptr<WebhookEndpoint> webhooks_;
};

}  // namespace keelson::sandbox
