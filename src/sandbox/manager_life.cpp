#include "src/sandbox/manager_life.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

ManagerLife::ManagerLife(const LifeParts& parts, const std::string& name,
                         std::function<const char*(const char*)> environment,
                         std::map<std::string, std::int64_t> numbers) {
  Logger log(parts.sink);
  cache_ = cache::make_cache(parts.executor, parts.clock, parts.random, log, parts.api, registry_, {});
  client_ = cache::read_your_writes(parts.api, *cache_);
  events_ = controller::make_event_recorder(parts.executor, parts.clock, parts.random, log, parts.api, {name, "host"});
  context_ = std::make_unique<controller::Context>(controller::Context{parts.clock, parts.random, log, *client_,
                                                                       *cache_, *events_, registry_,
                                                                       std::move(environment), std::move(numbers)});
  controller_ = controller::make_controller(parts.executor, *context_, parts.definition, {});
}

asio::awaitable<Result<void>> ManagerLife::fill_caches() {
  auto started = co_await cache_->start();
  co_return started;
}

asio::awaitable<Result<void>> ManagerLife::work() {
  auto events = co_await events_->start();
  if (!events) co_return std::move(events.error());
  auto controller = co_await controller_->start();
  co_return controller;
}

asio::awaitable<void> ManagerLife::crash() {
  controller_->abort();
  events_->abort();
  co_await controller_->stop();
  co_await events_->stop();
  co_await cache_->stop();
}

}  // namespace keelson::sandbox
