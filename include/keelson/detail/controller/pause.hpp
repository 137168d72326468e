// The annotation `keelson.dev/paused`, with which a user stops the writes of the operator for an object
// (docs/operations.md).
//
// The framework evaluates it for the objects and the children of controller_for(). A Reconciler without Pass calls
// pause_of() before it writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/controller/own_condition.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

// The reasons of the condition Paused. The framework sets it with a patch that changes no other part of the status, and
// sets it to False, instead of removing it, when the pause ends: `kubectl wait --for=condition=Paused=false` does not
// end for a condition that does not exist.
inline constexpr std::string_view kPausedReason = "Paused";
inline constexpr std::string_view kResumedReason = "Resumed";

struct Pause {
  std::optional<async::WallTime> until;  // empty: until the annotation is removed or changed
  std::string message;                   // sentences for the condition: the reason, and how to resume
};

// The pause that the annotation requests at the time `now`; empty if there is none. `true` pauses until the annotation
// is removed, a time (RFC 3339) until then; `false`, an empty value and a time in the past do not pause. Any other
// value is a mistake, and pauses, because the user probably meant to pause.
[[nodiscard]] std::optional<Pause> pause_of(const kube::Object& object, const kube::OperatorName& name,
                                            async::WallTime now);

}  // namespace keelson::controller
