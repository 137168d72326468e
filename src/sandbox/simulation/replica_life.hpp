// One process of a replica: a manager with its elector, cache and controllers behind a network that may break.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/leader/election.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/sandbox/http_servers.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/sandbox/simulation/manager_client.hpp"
#include "src/sandbox/simulation/manager_log.hpp"
#include "src/sandbox/simulation/replica_network.hpp"
#include "src/sandbox/simulation/stoppable_clock.hpp"
#include "src/sandbox/simulation/webhook_endpoint.hpp"

namespace keelson::sandbox {

// The dependencies of a life; all of them outlive it.
struct ReplicaParts {
  sandbox::loop::TestLoop& loop;
  base::Random& random;
  LogSink& sink;
  ApiServer& server;
  HttpServers& http;
  const std::vector<controller::Definition>& definitions;
  const std::vector<webhook::Webhook>& webhooks;
  const kube::OperatorName& operator_name;
  Problems& problems;
  async::TaskGroup& sent;
};

class ReplicaLife {
 public:
  ReplicaLife(const ReplicaParts& parts, const std::string& user);
  ReplicaLife(const ReplicaLife&) = delete;
  ReplicaLife& operator=(const ReplicaLife&) = delete;

  // Runs until stop() or kill(), or until it loses its lease.
  [[nodiscard]] boost::asio::awaitable<void> run();
  void stop();
  void kill();
  void pause();
  void resume();

  [[nodiscard]] bool has_ended() const { return has_ended_; }
  // Standbys serve webhooks, too.
  [[nodiscard]] bool serves_webhooks() const {
    return !condition.is_dead && !condition.is_cut_off && !condition.is_paused && !is_stopping_ && !has_ended_;
  }
  // Fails if the replica is killed or cut off meanwhile. The life must outlive the call.
  [[nodiscard]] Task<net::Response> call_webhook(WebhookCall call);
  [[nodiscard]] bool may_write() const { return !condition.is_dead && election_.elector().fence().is_open(); }
  [[nodiscard]] bool leads() const {
    return !condition.is_dead && !has_ended_ && election_.elector().state() == leader::Elector::State::kLeading;
  }

  ReplicaCondition condition;

 private:
  [[nodiscard]] boost::asio::awaitable<void> wait_for_stop();

  ManagerLog log_;
  StoppableClock clock_;
  metrics::Registry registry_;
  std::unique_ptr<kube::Client> observed_;
  std::unique_ptr<kube::Client> network_;
  leader::Election election_;
  std::unique_ptr<kube::Client> fenced_;
  controller::ControllerRuntime controllers_;
  WebhookEndpoint webhooks_;
  lifecycle::Manager manager_;
  bool is_stopping_ = false;
  bool has_ended_ = false;
};

}  // namespace keelson::sandbox
