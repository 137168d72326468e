// A plan: the controllers run on a copy of a cluster, in virtual time, until nothing changes.
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

// Settled means that nobody wrote anything for so long. A step of a controller that waits longer is not in the plan.
inline constexpr std::chrono::seconds kQuiet{30};
// A plan that has not settled ends here.
inline constexpr std::chrono::minutes kLongest{10};

struct PlanInput {
  std::vector<controller::Definition> controllers;
  std::map<std::string, std::string> environment;
  controller::FlagValues flags;  // the controllers' own that were given
  async::WallTime now;           // when the plan begins
  kube::OperatorName operator_name = {};
};

struct Plan {
  std::vector<PlannedWrite> writes;  // in their order, without Events
  std::vector<PlannedWrite> events;
  std::vector<std::string> errors;  // that the controllers still reported when nothing changed any more, each once
  std::vector<std::string>
      warnings;  // mistakes of a controller that the server tolerates, and requests without permission
  bool has_settled = false;
};

// Workloads roll out, and pods become ready as soon as they have started; Jobs go on running. An error: the copy cannot
// be served, or the manager does not start.
[[nodiscard]] Result<Plan> make_plan(LiveCopy& copy, PlanInput input);

}  // namespace keelson::plan
