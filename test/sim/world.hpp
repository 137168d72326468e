// A simulated world: the API server in this process, a manager that can crash at any write, and a user.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/notify.hpp"
#include "keelson/cache/cache.hpp"
#include "keelson/controller/controller.hpp"
#include "keelson/controller/event_recorder.hpp"
#include "keelson/json/value.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "test/support/recording_sink.hpp"
#include "test/support/test_loop.hpp"

namespace keelson::test {

// What one life of the manager consists of: everything that is gone after a crash.
struct ManagerLife {
  explicit ManagerLife(std::string name) : user(std::move(name)) {}
  std::string user;
  metrics::Registry registry;
  std::unique_ptr<cache::Cache> cache;
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<controller::EventSender> events;
  std::unique_ptr<controller::Context> context;
  std::unique_ptr<async::Runnable> controller;
};

class World {
 public:
  World(std::uint64_t seed, controller::Definition definition, sandbox::ServerOptions options = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  void start_manager();
  // Stops it in the middle of whatever it does: nothing is finished, no reply is read.
  void crash_manager();
  [[nodiscard]] bool manager_runs() const { return life_ != nullptr; }

  // As a user: create, or replace the spec of, or delete an object; fails the test when the server refuses.
  kube::Object create(const kube::Resource& resource, const std::string& ns, const std::string& object);
  void patch(const kube::Resource& resource, const kube::Key& key, const std::string& merge_patch);
  void remove(const kube::Resource& resource, const kube::Key& key);
  // As it is stored; null when it is not there.
  [[nodiscard]] json::Document get(const kube::Resource& resource, const kube::Key& key);

  // Lets virtual time pass, in steps, until `holds`; false when it did not within `limit`.
  [[nodiscard]] bool eventually(const std::function<bool()>& holds, async::Duration limit = std::chrono::minutes(5));
  void pass(async::Duration time);
  // Lets time pass until somebody notifies; false when nobody did within `limit`.
  [[nodiscard]] bool pass_until(async::Notify& notify, async::Duration limit);

  // Writes of the manager that the server answered with this code, by resource and subresource.
  [[nodiscard]] std::size_t writes(const kube::Resource& resource, const std::string& subresource, int code) const;

  // The controller's own flags, for the next life of the manager.
  std::map<std::string, std::int64_t> numbers;

  test::TestLoop loop;
  base::Random random;
  test::RecordingSink sink;
  sandbox::ApiServer server;

 private:
  controller::Definition definition_;
  std::unique_ptr<ManagerLife> life_;
};

}  // namespace keelson::test
