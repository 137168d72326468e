// Replicas of a manager that compete for a lease in a simulated cluster: killed, paused, cut off, slow, started again.
//
//   sandbox::Replicas replicas({website()}, {.count = 3});
//   REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
//   replicas.at(0).pause();
//   replicas.pass(20s);  // longer than the lease
//   replicas.at(0).resume();
//
// Each replica has its own elector, cache and controllers, and the permissions that `generate rbac` prints. A call of a
// webhook goes to the first replica that runs and is connected, leader or not. Problems
// (simulated_cluster.hpp) fail `eventually` here as well. In virtual time; one seed gives one run.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/sandbox/problems.hpp"
#include "keelson/testing/recording_sink.hpp"
#include "keelson/testing/test_loop.hpp"

namespace keelson::sandbox {

inline constexpr async::Duration kUsualLatency = std::chrono::milliseconds(20);

class ReplicaLife;

// One process: from its start until it has ended.
class Replica {
 public:
  explicit Replica(std::unique_ptr<ReplicaLife> life);
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;
  ~Replica();

  void stop();  // as SIGTERM: it ends in good order and releases its lease
  void kill();  // as SIGKILL
  // As SIGSTOP: it does nothing, and time goes on.
  void pause();
  void resume();
  // From the API server, until connect().
  void cut_off();
  void connect();
  // Of each way to the server and back, at the most.
  void set_latency(async::Duration latency);

  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] bool is_killed() const;
  [[nodiscard]] bool leads() const;
  // Whether a write of a controller would leave the process: only one replica may at any moment.
  [[nodiscard]] bool may_write() const;

 private:
  friend class Replicas;
  std::unique_ptr<ReplicaLife> life_;
};

struct ReplicasOptions {
  std::size_t count = 2;
  std::uint64_t seed = 1;
  ServerOptions server = {};
  kube::OperatorName operator_name = {};
  bool has_webhooks = true;  // as in ClusterOptions
  std::vector<webhook::Webhook> webhooks = {};
};

class Replicas {
 public:
  explicit Replicas(std::vector<controller::Definition> definitions, ReplicasOptions options = {});
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;
  // Kills them all and waits until they have unwound.
  ~Replicas();

  // The process that this replica is now; one that has ended is replaced by a new one first, as a Deployment would.
  // Users are named `replica-INDEX-LIFE`.
  [[nodiscard]] Replica& at(std::size_t index);
  [[nodiscard]] std::size_t count() const { return current_.size(); }
  [[nodiscard]] std::size_t leaders() const;
  // Those that may write, of all processes that ever lived.
  [[nodiscard]] std::size_t writers() const;

  void pass(async::Duration time);
  // Lets virtual time pass, in steps, until `holds`; false when it did not within `limit`, or when there is a problem,
  // which is printed to stderr.
  [[nodiscard]] bool eventually(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(5));
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_.all(); }

  // As a user. `object` and `merge_patch` are JSON or YAML.
  Result<kube::Object> create(const kube::Resource& resource, std::string ns, std::string_view object);
  Result<kube::Object> patch(const kube::Resource& resource, const kube::Key& key, std::string_view merge_patch);

  testing::TestLoop loop;
  base::Random random;
  testing::RecordingSink sink;
  ApiServer server;

 private:
  void start(std::size_t index);
  [[nodiscard]] boost::asio::awaitable<Result<net::Response>> call_webhook(WebhookCall call);

  std::vector<controller::Definition> definitions_;
  std::vector<webhook::Webhook> webhooks_;
  kube::OperatorName operator_name_;
  Problems problems_;
  std::deque<std::unique_ptr<Replica>> lives_;
  std::vector<Replica*> current_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::sandbox
