// The status of a BlueGreen from what can be seen of it, and what is worth an Event: plain decisions, no I/O.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/controller/rollout.hpp"
#include "src/controllers/bluegreen/bluegreen_types.hpp"

namespace keelson::controllers {

struct ColourFacts {
  bool has_spec = false;
  bool is_kept = false;                        // its Deployment is as the spec wants it
  std::optional<controller::Rollout> rollout;  // of its Deployment, when there is one of ours

  // What `WhenReady` asks before traffic may come.
  [[nodiscard]] bool can_serve() const {
    return is_kept && rollout && rollout->is_complete() && rollout->ready_replicas > 0;
  }
};

struct BlueGreenFacts {
  std::int64_t generation = 0;
  std::string route_to;
  std::string selected;        // by our Service; empty: there is none
  bool switch_failed = false;  // it was time, and the next try will do it
  ColourFacts blue;
  ColourFacts green;
  std::optional<kube::ConditionState> trouble;  // what keeps a child from being as it should be

  [[nodiscard]] ColourFacts& of(std::string_view colour) { return colour == kBlue ? blue : green; }
  [[nodiscard]] const ColourFacts& of(std::string_view colour) const { return colour == kBlue ? blue : green; }
};

// `before` is the status that is there: conditions keep their transition times.
[[nodiscard]] BlueGreenStatus judge_bluegreen(const BlueGreenStatus& before, const BlueGreenFacts& facts,
                                              async::WallTime now);

// `after` is not to be held back: it speaks of a new generation, of a switch, of something that turns bad, or of a
// world that has come to rest.
[[nodiscard]] bool is_urgent(const BlueGreenStatus& before, const BlueGreenStatus& after);

// That traffic waits, or has gone over after a wait: the reason and the note of an Event, once for each change.
[[nodiscard]] std::optional<kube::ConditionState> news(const BlueGreenStatus& before, const BlueGreenStatus& after);

}  // namespace keelson::controllers
