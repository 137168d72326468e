// How far the rollout of a Deployment has come, by its own status: what `kubectl rollout status` prints.
#pragma once

#include <cstdint>
#include <string>

#include "keelson/api/apps/v1/deployment.hpp"

namespace keelson::controller {

struct Rollout {
  std::int32_t replicas = 1;  // desired
  std::int32_t ready_replicas = 0;
  // "1 of 3 updated replicas are available". Empty: all desired replicas are of the current generation of the
  // Deployment and available, and no older one is left.
  std::string waits_for;
  // Why it makes no progress, in the words of its conditions, or empty. A paused Deployment has not failed.
  std::string failure;

  [[nodiscard]] bool is_complete() const { return waits_for.empty(); }
  bool operator==(const Rollout&) const = default;
};

// A projection of the Deployment has to keep `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::Deployment& deployment);

}  // namespace keelson::controller
