// Replicas of a manager that compete for a lease in a simulated cluster. A test kills, pauses, disconnects and restarts
// them; replica_faults.hpp does so at random.
//
// Example (test/examples/sandbox.cpp#replicas):
//   // Whether the standby acquires the lease when the leader hangs for longer than the lease.
//   bool standby_takes_over(controller::Definition definition) {
//     sandbox::Replicas replicas({std::move(definition)}, {.count = 2});
//     if (!replicas.eventually([&] { return replicas.leaders() == 1; })) return false;
//     const std::size_t leader = replicas.at(0).leads() ? 0 : 1;
//     replicas.at(leader).pause();
//     replicas.pass(20s);  // a lease lasts 15 s
//     replicas.at(leader).resume();
//     return replicas.eventually([&] { return replicas.at(1 - leader).leads() && replicas.writers() == 1; });
//   }
//
// Each replica has its own elector, cache and controllers, and the permissions that `generate rbac` prints. A call of a
// webhook goes to the first replica that runs and is connected, leader or not. Problems (simulated_cluster.hpp) fail
// `eventually` here as well. Time is virtual, and the same seed gives the same run.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/http_servers.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/sandbox/problems.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::sandbox {

// The maximum latency of a replica in each direction, until Replica::set_latency().
inline constexpr async::Duration kUsualLatency = std::chrono::milliseconds(20);

class ReplicaLife;

// A process, from its start to its end; a restart creates another one. Owned by Replicas, and valid as long as that.
class Replica {
 public:
  // For Replicas, which creates all of them.
  explicit Replica(std::unique_ptr<ReplicaLife> life);
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;
  ~Replica();

  // As SIGTERM: it stops its services in order, with a grace period of 5 s, and releases its lease.
  void stop();
  // As SIGKILL: requests that it has sent are executed, but nothing else happens.
  void kill();
  // As SIGSTOP and SIGCONT: it executes nothing, while time passes. Timers that are due fire at resume().
  void pause();
  void resume();
  // Disconnects it from the API server until connect(). Requests fail after up to 4 s; those already sent are executed.
  void cut_off();
  void connect();
  // The maximum latency in each direction; each request and reply takes a random part of it.
  void set_latency(async::Duration latency);

  // Stopped, or exited because it lost its lease.
  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] bool is_killed() const;
  // Whether it holds the lease, as far as it knows.
  [[nodiscard]] bool leads() const;
  // Whether its fence lets writes of controllers pass. At most one replica may write at any moment.
  [[nodiscard]] bool may_write() const;

 private:
  friend class Replicas;
  std::unique_ptr<ReplicaLife> life_;
};

// The fields that ClusterOptions has, too, mean the same as there.
struct ReplicasOptions {
  std::size_t count = 2;
  std::uint64_t seed = 1;  // of the random latencies, jitter and uids
  ApiServerOptions server = {};
  kube::OperatorName operator_name = {};
  bool has_webhooks = true;
  std::vector<webhook::Webhook> webhooks = {};
};

class Replicas {
 public:
  // Starts all replicas; they run whenever virtual time passes. Throws base::Misuse for definitions and webhooks that
  // keelson::run would reject.
  explicit Replicas(std::vector<controller::Definition> definitions, ReplicasOptions options = {});
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;
  // Kills all replicas and waits until their coroutines have unwound.
  ~Replicas();

  // The current process of this replica (0 to count() - 1). A process that has ended or was killed is first replaced by
  // a new one, as a Deployment does; use the reference of the old one to examine it. The user name of a process is
  // `replica-INDEX-PROCESS`, where PROCESS is its number among all processes, from 0.
  [[nodiscard]] Replica& at(std::size_t index);
  [[nodiscard]] std::size_t count() const { return current_.size(); }
  // The number of current processes that lead.
  [[nodiscard]] std::size_t leaders() const;
  // The number of processes that may write, among all since the start. More than 1 is a failure of leader election.
  [[nodiscard]] std::size_t writers() const;

  // Lets virtual time pass.
  void pass(async::Duration time);
  // Lets virtual time pass, in steps of 10 ms, until `holds` returns true. Returns false after `limit`, or if there is
  // a problem, which is printed to stderr.
  [[nodiscard]] bool eventually(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(5));
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_.all(); }

  // Requests of the user `user`, which is allowed everything, and the replies of the API server. `object` and
  // `merge_patch` are JSON or YAML; null in a patch removes the field.
  Result<kube::Object> create(const kube::Resource& resource, std::string ns, std::string_view object);
  Result<kube::Object> patch(const kube::Resource& resource, const kube::Key& key, std::string_view merge_patch);

  sandbox::loop::TestLoop loop;
  HttpServers http{loop.clock()};     // the servers of Context::http
  base::Random random;                // of the server and the replicas
  sandbox::loop::RecordingSink sink;  // the log of all replicas
  ApiServer server;                   // to inject failures, and to observe writes

 private:
  void start(std::size_t index);
  [[nodiscard]] Task<net::Response> call_webhook(WebhookCall call);

  std::vector<controller::Definition> definitions_;
  std::vector<webhook::Webhook> webhooks_;
  kube::OperatorName operator_name_;
  Problems problems_;
  std::deque<std::unique_ptr<Replica>> lives_;
  std::vector<Replica*> current_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::sandbox
