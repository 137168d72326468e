// Computes the status of a BlueGreen and the Events about its changes. Decisions without I/O.
// A new condition type also goes into BlueGreen::kConditions (bluegreen.hpp), from which the text of the schema
// follows.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/controller/rollout.hpp"
#include "src/kinds/bluegreen/bluegreen.hpp"

namespace keelson::kinds {

struct ColorFacts {
  bool has_spec = false;
  bool is_kept = false;                        // its Deployment has the desired state
  std::optional<controller::Rollout> rollout;  // of its Deployment, if it exists and is owned

  // The condition of the policy WhenReady for traffic. A pod that crashes may be ready for a moment.
  [[nodiscard]] bool can_serve() const {
    return is_kept && rollout && rollout->is_complete() && rollout->ready_replicas > 0 && !rollout->problem;
  }
};

struct BlueGreenFacts {
  std::int64_t generation = 0;
  std::string route_to;
  std::string selected;        // by our Service; empty: there is no Service
  bool switch_failed = false;  // the switch was due and failed, and the next try repeats it
  ColorFacts blue;
  ColorFacts green;
  std::optional<kube::ConditionState> problem;  // the problem that prevents the desired state of a child

  [[nodiscard]] ColorFacts& of(std::string_view color) { return color == kBlue ? blue : green; }
  [[nodiscard]] const ColorFacts& of(std::string_view color) const { return color == kBlue ? blue : green; }
};

// Computes the status. `before` is the stored one: conditions keep their transition times while their status is the
// same.
[[nodiscard]] BlueGreenStatus compute_bluegreen_status(const BlueGreenStatus& before, const BlueGreenFacts& facts,
                                                       async::WallTime now);

// True if `after` must not be coalesced: it reports a new generation, a switch, a new problem, or the final state.
[[nodiscard]] bool is_urgent(const BlueGreenStatus& before, const BlueGreenStatus& after);

// The condition Degraded if it has a new problem, or if a problem now affects Ready: record a Warning Event for it.
// Otherwise null.
[[nodiscard]] const kube::Condition* new_trouble(const BlueGreenStatus& before, const BlueGreenStatus& after);

// The reason and the note of an Event when traffic starts to wait for a rollout, and when it switches after the wait;
// empty: no Event.
[[nodiscard]] std::optional<kube::ConditionState> news(const BlueGreenStatus& before, const BlueGreenStatus& after);

}  // namespace keelson::kinds
