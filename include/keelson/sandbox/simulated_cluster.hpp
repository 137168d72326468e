// The controllers of an operator in a cluster that is simulated in this process, in virtual time: for their tests.
//
// Example (test/examples/sandbox.cpp#simulated_cluster):
//   // Whether the controller of `kind` creates its ConfigMap, and again after a deletion while the manager was down.
//   bool recreates_config_map(controller::Definition definition, const kube::Resource& kind, std::string_view sample) {
//     const kube::Key child("default", "hello");
//     sandbox::SimulatedCluster cluster(std::move(definition));
//     auto has_child = [&] { return !cluster.get(kube::config_maps(), child).root().is_null(); };
//     if (!cluster.start_manager() || !cluster.create(kind, "default", sample)) return false;
//     if (!cluster.eventually(has_child)) return false;
//     cluster.crash_manager();
//     if (!cluster.remove(kube::config_maps(), child) || !cluster.start_manager()) return false;
//     return cluster.eventually(has_child);
//   }
//
// The API server stores objects, versions and field ownership as a real one does: Deployments get pods that become
// ready, Jobs end, and objects whose owner is gone are garbage-collected (api_server.hpp). The webhooks of the
// controllers are registered, and the manager answers them, so a write that they review fails while no manager runs.
// Specs and statuses are validated by their schemas and CEL rules, except for the rules at the root of a kind with a
// single version (Kind::rules). Hours pass in milliseconds, and the same seed gives the same run.
//
// Mistakes of the operator fail the test, even if no condition depends on them: from the first problem on `eventually`
// returns false and prints the problem and its fix. Problems are
// - a write with an unknown field (a real server drops the field with a warning; here the write is rejected) or with a
//   value of the wrong type;
// - a request that the manager's role does not allow;
// - an exception that leaves a reconciler, a webhook or a watch handler.
//
// The manager has the permissions of the role that `generate rbac` writes for these controllers. All other users are
// allowed everything.
//
// Ownership and threads: the cluster owns its loop, server and manager. Everything runs in the calling thread, and only
// while a function of the cluster runs. The functions throw std::runtime_error if a request can never finish (a
// deadlock).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/http_servers.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/sandbox/problems.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::sandbox {

struct ClusterOptions {
  std::uint64_t seed = 1;  // of the random latencies, jitter and uids
  ApiServerOptions server = {};
  kube::OperatorName operator_name = {};  // the first argument of keelson::run
  // For tests of an operator whose own writes are rejected: problems do not fail the test, and unknown fields are
  // dropped with a warning, as a real server does.
  bool tolerates_problems = false;
  // Receives the explanations of `eventually`; empty: they are printed to stderr.
  std::function<void(const std::string& text)> print = {};
  // True: the webhooks of the controllers and those below are registered. No effect if `server.webhooks` is set: then
  // the test creates the configurations itself.
  bool has_webhooks = true;
  // Webhooks without a controller, as with Operator::webhook.
  std::vector<webhook::Webhook> webhooks = {};
};

class ManagerLife;
class Observation;

class SimulatedCluster {
 public:
  // Serves the kinds of the definitions and registers the webhooks; start_manager() starts the controllers. Throws
  // base::Misuse for definitions and webhooks that keelson::run would reject.
  explicit SimulatedCluster(controller::Definition definition, ClusterOptions options = {});
  explicit SimulatedCluster(std::vector<controller::Definition> definitions, ClusterOptions options = {});
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;
  // Prints the problems that `eventually` has not printed.
  ~SimulatedCluster();

  // Starts the caches and controllers of the manager, with the user name `manager`. Its log is in `sink`. Fails if one
  // of them cannot start; then call crash_manager() before the next start. Only while no manager runs (asserted).
  [[nodiscard]] Result<void> start_manager();
  // Ends the manager immediately, as kill -9: no work is finished, and no reply is read. start_manager() starts another
  // one. No effect if no manager runs.
  void crash_manager();
  [[nodiscard]] bool manager_runs() const { return life_ != nullptr; }

  // Requests of the user `user`, and the replies of the API server. `object` and `merge_patch` are JSON or YAML; null
  // in a patch removes the field. With the subresource "status" a patch changes only the status, without it all but the
  // status.
  Result<kube::Object> create(const kube::Resource& resource, std::string ns, std::string_view object);
  Result<kube::Object> patch(const kube::Resource& resource, const kube::Key& key, std::string_view merge_patch,
                             std::string subresource = "");
  Result<void> remove(const kube::Resource& resource, const kube::Key& key);
  // The stored object; null if it does not exist. Without a request: it is not in ApiServer::log().
  [[nodiscard]] json::Document get(const kube::Resource& resource, const kube::Key& key) const;

  // Lets virtual time pass, in steps of 10 ms, until `holds` returns true. Returns false after `limit`, or if the
  // operator has a problem, and prints an explanation: the problems, the last errors of the manager's log, the objects
  // that `holds` reads with get(), and those of the controllers with their conditions and Events.
  [[nodiscard]] bool eventually(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(5));
  // Lets virtual time pass, for example to show that nothing changes.
  void pass(async::Duration time);
  // Lets virtual time pass until `notify` is notified. Returns false after `limit`.
  [[nodiscard]] bool pass_until(async::Notify& notify, async::Duration limit);

  // The mistakes of the operator so far. A test that does not use `eventually` checks that it is empty.
  [[nodiscard]] const std::vector<Problem>& problems() const;
  // The text that `eventually` would print now.
  [[nodiscard]] std::string explanation() const;

  // The answer of `manager explain` for an object of a controller, as text: why it is in its state, and its last
  // reconciles with what they read and wrote. Only while the manager runs (asserted).
  [[nodiscard]] std::string explain_object(const kube::Resource& resource, const kube::Key& key) const;
  // The same as JSON, as /debug/objects serves it; with a `query` of that page instead of an object.
  [[nodiscard]] json::Document debug_objects(const std::string& query) const;
  // The /metrics of the running manager, such as `keelson_objects{…} 1`: its controllers, caches and queues. Only while
  // the manager runs (asserted).
  [[nodiscard]] std::string metrics() const;

  // The number of writes of the manager to this resource and subresource that got this HTTP status.
  [[nodiscard]] std::size_t writes(const kube::Resource& resource, const std::string& subresource, int code) const;

  // For the next start of the manager: its environment variables, the values of the controllers' own flags, and whether
  // its writes are dry runs.
  std::map<std::string, std::string> environment;
  controller::FlagValues flags;
  bool is_dry_run = false;  // --dry-run
  // The operator's name from the next start on. A change simulates an upgrade that renames the operator.
  kube::OperatorName operator_name;

  sandbox::loop::TestLoop loop;
  HttpServers http{loop.clock()};     // the servers of Context::http
  base::Random random;                // of the server and the manager
  sandbox::loop::RecordingSink sink;  // the log of the manager, of all its starts
  ApiServer server;                   // to inject failures, and to observe writes

 private:
  [[nodiscard]] Task<net::Response> call_webhook(WebhookCall call);
  [[nodiscard]] bool has_problem() const;
  void print(const std::string& headline);
  [[nodiscard]] std::string explain(const std::string& headline) const;

  std::vector<controller::Definition> definitions_;
  std::vector<webhook::Webhook> webhooks_;
  ClusterOptions options_;
  std::unique_ptr<Observation> observation_;
  std::unique_ptr<ManagerLife> life_;
};

}  // namespace keelson::sandbox
