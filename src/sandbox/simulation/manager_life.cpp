#include "src/sandbox/simulation/manager_life.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/controller/debug_objects.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "src/sandbox/simulation/seeded_entropy.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

ManagerLife::ManagerLife(const LifeParts& parts, const std::string& name,
                         std::function<const char*(const char*)> environment, controller::FlagValues flags)
    : controllers_({.executor = parts.executor,
                    .clock = parts.clock,
                    .random = parts.random,
                    .log = Logger(parts.sink),
                    .registry = registry_,
                    .client = parts.api,
                    .environment = std::move(environment),
                    .flags = std::move(flags),
                    .events = {name, "host"},
                    .reconcile_history = limits::kReconcileHistory,
                    .is_dry_run = parts.is_dry_run,
                    .make_http_client = parts.make_http_client,
                    .entropy = seeded_entropy(parts.random)},
                   parts.definitions),
      webhooks_(std::make_unique<WebhookEndpoint>(parts.executor, controllers_.context(), parts.webhooks)) {}

Task<void> ManagerLife::fill_caches() {
  auto started = co_await controllers_.cache().start();
  co_return started;
}

Task<void> ManagerLife::work() {
  for (const auto& service : controllers_.services()) KEELSON_CO_TRY(co_await service.runnable->start());
  co_return Result<void>();
}

net::Response ManagerLife::debug_objects(const std::string& query, const char* accepted) {
  net::Request request;
  request.target = std::string(controller::kDebugObjectsPath) + "?" + query;
  request.headers = {{"Accept", accepted}};
  return controller::debug_objects(controllers_, request);
}

asio::awaitable<void> ManagerLife::crash() {
  const auto& services = controllers_.services();
  for (const auto& service : services) service.runnable->abort();
  webhooks_->abort();
  for (auto it = services.rbegin(); it != services.rend(); ++it) co_await it->runnable->stop();
  co_await webhooks_->join();
  co_await controllers_.cache().stop();
}

}  // namespace keelson::sandbox
