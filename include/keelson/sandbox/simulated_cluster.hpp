// Controllers in a cluster that is simulated in this process, in virtual time: for the tests of their author.
//
//   sandbox::SimulatedCluster cluster(greeting());
//   REQUIRE(cluster.start_manager());
//   REQUIRE(cluster.create(kGreetings, "default", "…YAML or JSON…"));
//   REQUIRE(cluster.eventually([&] { return !cluster.get(kube::config_maps(), key).root().is_null(); }));
//
// The API server keeps objects, versions and owners of fields as the real one does, Deployments get pods that become
// ready, Jobs end, what lost its owner is collected (api_server.hpp). Webhooks are called through
// ServerOptions::webhooks. Specs and statuses are checked against their schemas and CEL rules, but not the rules at the
// root of a kind. Hours pass in milliseconds, and one seed gives one run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/notify.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/testing/recording_sink.hpp"
#include "keelson/testing/test_loop.hpp"

namespace keelson::sandbox {

struct ClusterOptions {
  std::uint64_t seed = 1;
  ServerOptions server = {};
};

class ManagerLife;

class SimulatedCluster {
 public:
  explicit SimulatedCluster(controller::Definition definition, const ClusterOptions& options = {});
  explicit SimulatedCluster(std::vector<controller::Definition> definitions, const ClusterOptions& options = {});
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;
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

  // Lets virtual time pass, in steps, until `holds`; false when it did not within `limit`.
  [[nodiscard]] bool eventually(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(5));
  void pass(async::Duration time);
  // Lets time pass until somebody notifies; false when nobody did within `limit`.
  [[nodiscard]] bool pass_until(async::Notify& notify, async::Duration limit);

  // Writes of the manager that the server answered with this code, by resource and subresource.
  [[nodiscard]] std::size_t writes(const kube::Resource& resource, const std::string& subresource, int code) const;

  // For the next life of the manager: the process environment, and the controller's own flags.
  std::map<std::string, std::string> environment;
  std::map<std::string, std::int64_t> numbers;

  testing::TestLoop loop;
  base::Random random;
  testing::RecordingSink sink;
  ApiServer server;

 private:
  std::vector<controller::Definition> definitions_;
  std::unique_ptr<ManagerLife> life_;
};

}  // namespace keelson::sandbox
