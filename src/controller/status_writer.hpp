// Writes the statuses of a kind, and coalesces them.
//
// Decision: docs/decisions/0003-progress-is-coalesced.md
#pragma once

#include <map>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

// The new status of an object.
struct StatusChange {
  enum class Form {
    kApply,  // the controller owns the status
    kPatch,  // other controllers write fields of it too: only the difference to the read status is sent
  };
  enum class Urgency {
    kImmediate,
    kCoalesced,  // held back for up to a second, because the status is about to change again
  };
  std::string text;                 // the JSON of the status struct
  const kube::Description* fields;  // those that the status struct has
  Form form = Form::kApply;
  Urgency urgency = Urgency::kImmediate;
};

class StatusWriter {
 public:
  StatusWriter(async::Clock& clock, kube::Resource resource);

  // Writes `change.text`, which differs from the stored status, to this object and never to a later one of its name.
  // Fields of the struct that the new status does not have are removed, even if other managers own them. The outcome
  // requests another reconcile if the status was held back. Empty: the object is gone.
  //
  // An Error if the API server serves no status of the kind: it would not be stored.
  [[nodiscard]] Task<std::optional<Outcome>> write(kube::Client& client, kube::Object object, StatusChange change);
  // The status is as stored again, or the object is gone.
  void forget(const kube::Key& key) { held_back_.erase(key); }

 private:
  [[nodiscard]] Task<std::optional<kube::Object>> send(kube::Client& client, kube::Object object,
                                                       const StatusChange& change);
  [[nodiscard]] Task<void> remove_leftovers(kube::Client& client, kube::Object written, const StatusChange& change);
  [[nodiscard]] Task<void> check_served(kube::Client& client, kube::Object object);

  async::Clock& clock_;
  kube::Resource resource_;
  std::map<kube::Key, async::TimePoint> held_back_;  // when a difference was first held back
};

}  // namespace keelson::controller
