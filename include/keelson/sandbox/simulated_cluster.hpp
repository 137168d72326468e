// The controllers of an operator in a cluster that is simulated in this process, in virtual time: for their tests.
//
//   sandbox::SimulatedCluster cluster(greeting());
//   REQUIRE(cluster.start_manager());
//   REQUIRE(cluster.create(kGreetings, "default", "…YAML or JSON…"));
//   REQUIRE(cluster.eventually([&] { return !cluster.get(kube::config_maps(), key).root().is_null(); }));
//
// The API server keeps objects, versions and owners of fields as the real one does, Deployments get pods that become
// ready, Jobs end, what lost its owner is collected (api_server.hpp). The webhooks of the controllers are registered
// and answered by the manager, so a write that they review fails while no manager runs. Specs and statuses are checked
// against their schemas and CEL rules, but not the rules at the root of a kind. Hours pass in milliseconds, and one
// seed gives one run.
//
// Mistakes of the operator fail the test, even if it asks for nothing that depends on them: from the first problem on
// `eventually` returns false and prints what was wrong and how to fix it. Problems are a write with a field that does
// not exist (which the real server would drop with a warning; here it is rejected) or with a value of the wrong type, a
// request that the manager's role does not allow, and an exception that leaves a reconciler, a webhook or a watch
// handler.
//
// The manager may do what the role says that `generate rbac` writes for these controllers. All other users may do
// everything.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/notify.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/sandbox/problems.hpp"
#include "keelson/testing/recording_sink.hpp"
#include "keelson/testing/test_loop.hpp"

namespace keelson::sandbox {

struct ClusterOptions {
  std::uint64_t seed = 1;
  ServerOptions server = {};
  kube::OperatorName operator_name = {};  // the first argument of keelson::run
  // For tests of how an operator behaves when its own writes are rejected: problems are only collected, and unknown
  // fields are dropped with a warning, as the real server does.
  bool tolerates_problems = false;
  // Where explanations go; empty: to stderr.
  std::function<void(const std::string& text)> print = {};
  // Whether the webhooks of the controllers are registered. Without effect if `server.webhooks` is set: then the test
  // creates the configurations.
  bool has_webhooks = true;
  // Webhooks that belong to no controller: Operator::webhook.
  std::vector<webhook::Webhook> webhooks = {};
};

class ManagerLife;
class Observation;

class SimulatedCluster {
 public:
  explicit SimulatedCluster(controller::Definition definition, ClusterOptions options = {});
  explicit SimulatedCluster(std::vector<controller::Definition> definitions, ClusterOptions options = {});
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;
  // Prints the problems that `eventually` has not printed.
  ~SimulatedCluster();

  // The manager with these controllers, under the user name `manager`; its log is in `sink`.
  [[nodiscard]] Result<void> start_manager();
  // Ends it in the middle of whatever it does, as kill -9: nothing is finished, no reply is read. It may start again.
  // Without a manager that runs it does nothing.
  void crash_manager();
  [[nodiscard]] bool manager_runs() const { return life_ != nullptr; }

  // What a user does, and what the API server answers. `object` and `merge_patch` are JSON or YAML.
  Result<kube::Object> create(const kube::Resource& resource, std::string ns, std::string_view object);
  Result<kube::Object> patch(const kube::Resource& resource, const kube::Key& key, std::string_view merge_patch);
  Result<void> remove(const kube::Resource& resource, const kube::Key& key);
  // As it is stored; null when it is not there.
  [[nodiscard]] json::Document get(const kube::Resource& resource, const kube::Key& key) const;

  // Lets virtual time pass, in steps, until `holds`; false when it did not within `limit`, or when the operator has a
  // problem. Then it prints an explanation: the problems, the last errors of the manager's log, the objects that
  // `holds` reads by get() and those of the controllers, with their conditions and Events.
  [[nodiscard]] bool eventually(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(5));
  void pass(async::Duration time);
  // Lets time pass until somebody notifies; false when nobody did within `limit`.
  [[nodiscard]] bool pass_until(async::Notify& notify, async::Duration limit);

  // Mistakes of the operator so far. A test that does not use `eventually` requires that there are none.
  [[nodiscard]] const std::vector<Problem>& problems() const;
  // What `eventually` would print now.
  [[nodiscard]] std::string explanation() const;

  // Writes of the manager that the server answered with this code, by resource and subresource.
  [[nodiscard]] std::size_t writes(const kube::Resource& resource, const std::string& subresource, int code) const;

  // For the next life of the manager: the process environment, and the controllers' own flags that are given.
  std::map<std::string, std::string> environment;
  controller::FlagValues flags;
  // Of the operator; another one than in the former life is an upgrade that gives the operator its name.
  kube::OperatorName operator_name;

  testing::TestLoop loop;
  base::Random random;
  testing::RecordingSink sink;
  ApiServer server;

 private:
  [[nodiscard]] boost::asio::awaitable<Result<net::Response>> call_webhook(WebhookCall call);
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
