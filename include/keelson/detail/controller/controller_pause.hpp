// The pause of a whole controller at run time, by PUT /debug/controllers/NAME/pause (debug_controllers.hpp).
//
// It is a state of this process: it ends with a restart, and another replica that acquires the lease does not have it.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"

namespace keelson::controller {

struct ControllerPause {
  std::string reason;
  std::string user;                      // who paused it: an authenticated name, or "loopback"
  async::WallTime since;                 // the beginning, even if reason or end are changed later
  std::optional<async::WallTime> until;  // empty: until it is resumed

  // "since 2026-01-02T15:04:05Z by jane until 2026-01-02T16:04:05Z: bad rollout"
  [[nodiscard]] std::string text() const;
};

}  // namespace keelson::controller
