// A simulated cluster with the operator and the samples, for all tests.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

#include "backuppolicy/backuppolicy_types.hpp"
#include "controllers.hpp"
#include "database/database_types.hpp"
#include "databaseuser/databaseuser_types.hpp"
#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/api/batch/v1/cron_job.hpp"
#include "keelson/api/batch/v1/job.hpp"
#include "keelson/api/core/v1/persistent_volume_claim.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/api/policy/v1/pod_disruption_budget.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "operator_name.hpp"

// Of the samples.
inline const keelson::kube::Key kMain("default", "main");
inline const keelson::kube::Key kReports("default", "reports");
inline const keelson::kube::Key kGold("", "gold");

struct Cluster : keelson::sandbox::SimulatedCluster {
  explicit Cluster(bool has_webhooks = true)
      : SimulatedCluster(controllers(),
                         {.operator_name = keelson::kube::OperatorName(kOperatorName), .has_webhooks = has_webhooks}) {}

  template <class T>
  void create_sample(std::string ns = "default") {
    REQUIRE(create(keelson::kube::resource_of<T>(), std::move(ns), keelson::controller::kind_of<T>().sample));
  }
  void begin() {
    REQUIRE(start_manager());
    create_sample<database::Database>();
  }
  // The value at a path as JSON, "null" if it or the object does not exist.
  template <class T>
  std::string text(const keelson::kube::Key& key, std::initializer_list<std::string_view> path) const {
    const auto object = get(keelson::kube::resource_of<T>(), key);
    return object.root().at(path).text();
  }
  template <class T>
  bool exists(const keelson::kube::Key& key) const {
    return text<T>(key, {}) != "null";
  }
  // The reason of a condition, after its status: "True Serving".
  template <class T>
  std::string condition(const keelson::kube::Key& key, std::string_view type = "Ready") const {
    const auto object = get(keelson::kube::resource_of<T>(), key);
    for (auto condition : object.root().at({"status", "conditions"}).items()) {
      if (condition.find("type").string() != type) continue;
      const auto status = condition.find("status").string().value_or("");
      return std::string(status) + " " + std::string(condition.find("reason").string().value_or(""));
    }
    return "";
  }
  template <class T>
  bool becomes(const keelson::kube::Key& key, std::string_view expected, std::string_view type = "Ready") {
    return eventually([&] { return condition<T>(key, type) == expected; });
  }
  bool serves() { return becomes<database::Database>(kMain, "True Serving"); }
};
