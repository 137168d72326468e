// The kind Memcached: what a user writes, what we answer in its status, and what kubectl shows of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/condition.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/kind.hpp"

namespace keelson::controllers {

struct MemcachedSpec {
  std::int32_t size = 0;
  std::optional<std::string> image;
  bool operator==(const MemcachedSpec&) const = default;
};

struct MemcachedStatus {
  std::vector<std::string> nodes;  // sorted pod names; [] and never null
  std::int32_t ready_nodes = 0;
  std::int32_t replicas = 0;
  std::string selector;  // of the pods, for autoscalers
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;  // Ready, Available, Progressing, Degraded, Reconciling, Stalled
  bool operator==(const MemcachedStatus&) const = default;
};

void describe(kube::Description& d, MemcachedSpec& spec);
void describe(kube::Description& d, MemcachedStatus& status);

[[nodiscard]] kube::Resource memcached_resource();
// Makes the schema: for the start of a program.
[[nodiscard]] kube::Kind memcached_kind();

}  // namespace keelson::controllers
