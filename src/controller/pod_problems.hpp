// What is wrong with the pods of a workload: the part of its rollout that does not depend on the kind.
#pragma once

#include <cstdint>
#include <vector>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

// progressDeadlineSeconds of a Deployment as the API server defaults it.
inline constexpr std::int32_t kDeadlineSeconds = 600;

// Sets `problem` and `check_at` of the rollout as pod_rollout.hpp describes. A pod that is not ready for
// `deadline_seconds` is a problem.
void add_pod_problems(const std::vector<core::v1::Pod>& pods, std::int32_t deadline_seconds, async::WallTime now,
                      Rollout& rollout);

}  // namespace keelson::controller
