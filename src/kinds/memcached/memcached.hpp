// The Memcached controller: a Deployment and a Service for each Memcached, and its pods in its status.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::kinds {

struct MemcachedSpec {
  std::int32_t size = 0;
  std::optional<std::string> image;
};

struct MemcachedStatus {
  std::vector<std::string> nodes;  // sorted pod names; [] and never null
  std::int32_t ready_nodes = 0;
  std::int32_t replicas = 0;
  std::string selector;  // the label selector of the pods, for autoscalers
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;
};

void describe(kube::Description& d, MemcachedSpec& spec);
void describe(kube::Description& d, MemcachedStatus& status);

struct Memcached : CustomResource<MemcachedSpec, MemcachedStatus> {
  static constexpr kube::Identity kIdentity{"memcached.cache.example.com", "v1", "Memcached"};
  static constexpr std::array kConditions{std::string_view("Available"), std::string_view("Progressing"),
                                          std::string_view("Degraded")};
  static void describe_kind(kube::Kind& kind);
};

// The label of the pods with the name of their Memcached. Objects of the original operator have it, and a Deployment's
// selector is immutable.
inline constexpr const char* kOwnerLabel = "memcached_cr";

[[nodiscard]] std::map<std::string, std::string> pod_labels(const Memcached& memcached);
[[nodiscard]] apps::v1::Deployment deployment_of(const Memcached& memcached, std::string image);
[[nodiscard]] core::v1::Service service_of(const Memcached& memcached);

[[nodiscard]] controller::Definition memcached();

}  // namespace keelson::kinds
