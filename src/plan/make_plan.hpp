// Makes a plan: runs the controllers on a copy of a cluster, in virtual time, until nothing changes.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/controller/definition.hpp"
#include "src/plan/live_copy.hpp"
#include "src/plan/planned_write.hpp"

namespace keelson::plan {

// The plan has settled when there was no write for this time. Actions for which a controller waits longer are not in
// it.
inline constexpr std::chrono::seconds kQuiet{30};
// The longest time of a plan that does not settle.
inline constexpr std::chrono::minutes kLongest{10};

struct PlanInput {
  std::vector<controller::Definition> controllers;
  std::map<std::string, std::string> environment;
  controller::FlagValues flags;  // given flags of the controllers
  async::WallTime now;           // the start of the plan
  kube::OperatorName operator_name = {};
};

struct Plan {
  std::vector<PlannedWrite> writes;  // in the order of the requests, without Events
  std::vector<PlannedWrite> events;
  std::vector<std::string> errors;    // that the controllers still reported after the last change, each once
  std::vector<std::string> warnings;  // tolerated mistakes of a controller, and requests without permission
  bool has_settled = false;
};

// Workloads roll out, and Pods are ready as soon as they have started; Jobs run until the plan ends. An Error if the
// copy cannot be served or the manager does not start.
[[nodiscard]] Result<Plan> make_plan(LiveCopy& copy, PlanInput input);

}  // namespace keelson::plan
