// How far a Deployment has come, read from its own status: what `kubectl rollout status` asks.
#pragma once

#include <cstdint>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

struct Rollout {
  std::int32_t replicas = 1;  // wanted
  std::int32_t ready_replicas = 0;
  // "1 of 3 updated replicas are available". Empty: all wanted replicas are of the current generation of the
  // Deployment and available, and no older one is left.
  std::string waits_for;
  // Why it makes no progress, in the words of its conditions, or empty. Being paused is a wish and no failure.
  std::string failure;

  [[nodiscard]] bool is_complete() const { return waits_for.empty(); }
  bool operator==(const Rollout&) const = default;
};

// An informer's projection has to keep `spec` and `status`.
[[nodiscard]] Result<Rollout> rollout_of(const kube::Object& deployment);

}  // namespace keelson::controller
