#include "src/sandbox/manager_life.hpp"

#include "keelson/base/try.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

ManagerLife::ManagerLife(const LifeParts& parts, const std::string& name,
                         std::function<const char*(const char*)> environment, controller::FlagValues flags) {
  Logger log(parts.sink);
  for (const auto& definition : parts.definitions) {
    flags = controller::with_defaults(definition.flags(), std::move(flags));
  }
  cache_ = cache::make_cache(parts.executor, parts.clock, parts.random, log, parts.api, registry_, {});
  client_ = cache::read_your_writes(parts.api, *cache_);
  events_ = controller::make_event_recorder(parts.executor, parts.clock, parts.random, log, parts.api, {name, "host"});
  context_ = std::make_unique<controller::Context>(controller::Context{parts.clock, parts.random, log, *client_,
                                                                       *cache_, *events_, registry_,
                                                                       std::move(environment), std::move(flags)});
  webhooks_ = std::make_unique<WebhookEndpoint>(parts.executor, *context_, parts.webhooks);
  for (const auto& definition : parts.definitions) {
    controllers_.push_back(controller::make_controller(parts.executor, *context_, definition, {}));
  }
}

asio::awaitable<Result<void>> ManagerLife::fill_caches() {
  auto started = co_await cache_->start();
  co_return started;
}

asio::awaitable<Result<void>> ManagerLife::work() {
  KEELSON_CO_TRY(co_await events_->start());
  for (const auto& controller : controllers_) {
    auto started = co_await controller->start();
    if (!started) co_return started;
  }
  co_return Result<void>();
}

asio::awaitable<void> ManagerLife::crash() {
  for (const auto& controller : controllers_) controller->abort();
  events_->abort();
  webhooks_->abort();
  for (const auto& controller : controllers_) co_await controller->stop();
  co_await webhooks_->join();
  co_await events_->stop();
  co_await cache_->stop();
}

}  // namespace keelson::sandbox
