#include "keelson/detail/sandbox/replicas.hpp"

#include <algorithm>
#include <cstdio>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "src/sandbox/simulation/replica_life.hpp"
#include "src/sandbox/simulation/requests.hpp"

namespace keelson::sandbox {

Replica::Replica(std::unique_ptr<ReplicaLife> life) : life_(std::move(life)) {}

Replica::~Replica() = default;

void Replica::stop() { life_->stop(); }

void Replica::kill() { life_->kill(); }

void Replica::pause() { life_->pause(); }

void Replica::resume() { life_->resume(); }

void Replica::cut_off() {
  life_->condition.is_cut_off = true;
  life_->condition.changed.notify_all();
}

void Replica::connect() {
  life_->condition.is_cut_off = false;
  life_->condition.changed.notify_all();
}

void Replica::set_latency(async::Duration latency) { life_->condition.latency = latency; }

bool Replica::has_ended() const { return life_->has_ended(); }

bool Replica::is_killed() const { return life_->condition.is_dead; }

bool Replica::leads() const { return life_->leads(); }

bool Replica::may_write() const { return life_->may_write(); }

Replicas::Replicas(std::vector<controller::Definition> definitions, ReplicasOptions options)
    : random(options.seed),
      server(loop.clock(), random,
             with_webhooks(options.server, [this](WebhookCall call) { return call_webhook(std::move(call)); })),
      definitions_(std::move(definitions)),
      webhooks_(controller::webhooks_of(definitions_, options.webhooks)),
      operator_name_(options.operator_name),
      current_(options.count),
      tasks_(loop.executor()) {
  controller::check_definitions(definitions_);
  webhook::check_webhooks(webhooks_);
  for (const auto& kind : controller::kinds_of(definitions_)) {
    kube::check_kind(kind);  // as keelson::run does
    server.serve(kind);
  }
  if (options.has_webhooks && !options.server.webhooks) register_webhooks(server, webhooks_);
  for (std::size_t index = 0; index < options.count; ++index) start(index);
}

Task<net::Response> Replicas::call_webhook(WebhookCall call) {
  auto serves = [](const Replica* replica) { return replica->life_->serves_webhooks(); };
  auto found = std::ranges::find_if(current_, serves);
  if (found == current_.end()) co_return connection_refused();
  const auto limit = call.timeout;
  auto answered = (*found)->life_->call_webhook(std::move(call));
  auto response = co_await async::with_timeout(loop.clock(), limit, "webhook", std::move(answered));
  co_return response;
}

Replicas::~Replicas() {
  for (auto& life : lives_) life->kill();
  loop.run(tasks_.join());
}

void Replicas::start(std::size_t index) {
  auto user = "replica-" + std::to_string(index) + "-" + std::to_string(lives_.size());
  auto rules = controller::manager_rules(definitions_);
  for (auto& rule : controller::leader_election_rules()) rules.push_back(std::move(rule));
  server.allow_only(user, rules);
  const ReplicaParts parts{loop,         random,    sink,           server,    http,
                           definitions_, webhooks_, operator_name_, problems_, tasks_};
  auto& life = lives_.emplace_back(std::make_unique<Replica>(std::make_unique<ReplicaLife>(parts, user)));
  current_[index] = life.get();
  tasks_.spawn(life->life_->run());
}

Replica& Replicas::at(std::size_t index) {
  if (current_[index]->has_ended() || current_[index]->is_killed()) start(index);
  return *current_[index];
}

std::size_t Replicas::writers() const {
  return static_cast<std::size_t>(std::ranges::count_if(lives_, [](const auto& life) { return life->may_write(); }));
}

std::size_t Replicas::leaders() const {
  return static_cast<std::size_t>(std::ranges::count_if(current_, [](const auto* life) { return life->leads(); }));
}

void Replicas::pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }

bool Replicas::eventually(const std::function<bool()>& holds, async::Duration limit) {
  constexpr auto kStep = std::chrono::milliseconds(10);
  for (async::Duration passed{0};; passed += kStep) {
    const bool is_true = holds();
    for (const auto& problem : problems()) std::fputs((problem.text + "\n").c_str(), stderr);
    if (!problems().empty() || is_true || passed >= limit) return is_true && problems().empty();
    pass(kStep);
  }
}

Result<kube::Object> Replicas::create(const kube::Resource& resource, std::string ns, std::string_view object) {
  return create_as_user(loop, server, resource, std::move(ns), object);
}

Result<kube::Object> Replicas::patch(const kube::Resource& resource, const kube::Key& key,
                                     std::string_view merge_patch) {
  return patch_as_user(loop, server, resource, key, merge_patch);
}

}  // namespace keelson::sandbox
