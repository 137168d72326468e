#include "src/sandbox/simulation/replica_life.hpp"

#include "keelson/detail/async/timeout.hpp"
#include "src/sandbox/simulation/seeded_entropy.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

namespace {

constexpr auto kGracePeriod = std::chrono::seconds(5);

const char* no_variable(const char*) { return nullptr; }

}  // namespace

ReplicaLife::ReplicaLife(const ReplicaParts& parts, const std::string& user)
    : log_(parts.sink, parts.loop.clock(), parts.problems),
      clock_(parts.loop.clock(), condition),
      observed_(std::make_unique<ManagerClient>(parts.server.client(user), parts.problems, parts.definitions,
                                                UnknownFields::kRejected, parts.operator_name)),
      network_(std::make_unique<ReplicaNetwork>(clock_, parts.random, *observed_, condition, parts.sent)),
      election_(parts.loop.executor(), clock_, parts.random, Logger(log_), registry_, *network_,
                {.lease = kube::Key("default", "lease"), .identity = user}),
      fenced_(election_.leader_client(*network_)),
      controllers_({.executor = parts.loop.executor(),
                    .clock = clock_,
                    .random = parts.random,
                    .log = Logger(log_),
                    .registry = registry_,
                    .client = *network_,
                    .leader_client = fenced_.get(),
                    .environment = no_variable,
                    .events = {user, "host"},
                    .make_http_client = parts.http.client_factory(),
                    .may_write = [this] { return may_write(); },
                    .entropy = seeded_entropy(parts.random)},
                   parts.definitions),
      webhooks_(parts.loop.executor(), controllers_.context(), parts.webhooks),
      manager_(clock_, Logger(log_), kGracePeriod) {
  manager_.add(lifecycle::Group::kCaches, controllers_.cache());
  for (const auto& service : controllers_.services()) {
    manager_.add(service.needs_leader_election ? lifecycle::Group::kControllers : lifecycle::Group::kOthers,
                 *service.runnable);
  }
  manager_.elect_by(election_.elector());
}

asio::awaitable<void> ReplicaLife::run() {
  auto ended = co_await manager_.run([this] { return wait_for_stop(); });
  // A stopping replica finishes its reviews, as the webhook server does. A replica that has lost its lease exits.
  if (ended) {
    auto drained = webhooks_.drain();
    static_cast<void>(co_await async::finish_within(clock_, kGracePeriod, std::move(drained)));
  }
  webhooks_.abort();
  co_await webhooks_.join();
  has_ended_ = true;
}

asio::awaitable<void> ReplicaLife::wait_for_stop() {
  while (!is_stopping_) co_await condition.changed.wait();
}

Task<net::Response> ReplicaLife::call_webhook(WebhookCall call) {
  auto response = co_await webhooks_.answer(std::move(call));
  if (condition.is_cut_off) co_return transport_error("EOF");
  co_return response;
}

void ReplicaLife::stop() {
  is_stopping_ = true;
  condition.changed.notify_all();
}

// The coroutines unwind in virtual time, but the network drops everything that they send.
void ReplicaLife::kill() {
  condition.is_dead = true;
  webhooks_.abort();
  resume();
  stop();
}

void ReplicaLife::pause() { condition.is_paused = true; }

void ReplicaLife::resume() {
  condition.is_paused = false;
  clock_.resume();
  condition.changed.notify_all();
}

}  // namespace keelson::sandbox
