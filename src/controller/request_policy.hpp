// Decides what the annotations of an object request from its controller: a pause, or a reconcile. Without I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

// The keys of the annotations; OperatorName::annotation makes "keelson.dev/paused" of it.
inline constexpr std::string_view kPausedKey = "paused";
inline constexpr std::string_view kReconcileAtKey = "reconcile-at";

// The names of both annotations for an operator.
struct RequestNames {
  explicit RequestNames(const kube::OperatorName& name);
  std::string paused;
  std::string reconcile_at;
  // Only these two annotations: a projection without them would hide the requests.
  [[nodiscard]] json::Projection projection() const;
};

// True for an update in which the annotation was added, changed or removed.
[[nodiscard]] bool has_changed(const cache::Event& event, std::string_view annotation);

// True for an update in which the annotation paused was added, changed or removed, and for an addition with a value:
// the object was paused before the start, or was created so.
[[nodiscard]] bool concerns_pause(const cache::Event& event, const RequestNames& names);

// True for an update after which reconcile-at has another value, and is not empty.
[[nodiscard]] bool requests_reconcile(const cache::Event& event, const RequestNames& names);
// True for an update of the spec or the begin of a deletion: a failure so far says nothing about the next attempt.
[[nodiscard]] bool is_new_generation(const cache::Event& event);

// The time until reconcile-at; empty if the annotation is absent, has another value than a time, or its time is over.
[[nodiscard]] std::optional<async::Duration> time_until_requested(const kube::Object& object, const RequestNames& names,
                                                                  async::WallTime now);

// The delay after which a pause is evaluated again. It is bounded because the wall clock may be set meanwhile.
[[nodiscard]] std::optional<async::Duration> delay_of(std::optional<async::WallTime> until, async::WallTime now);

// The patch of the status that sets the condition Paused: True with this reason and message, or False if `reason` is
// kResumedReason. It retains all other conditions, and the API server rejects it if the object has changed since. Empty
// if the condition is as desired, and if the cache does not store the conditions. Without an observedGeneration: the
// condition is about an annotation, not about a generation.
[[nodiscard]] Result<std::optional<std::string>> paused_patch(const kube::Object& object, std::string_view reason,
                                                              std::string_view message, async::WallTime now);

}  // namespace keelson::controller
