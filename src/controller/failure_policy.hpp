// Decides from when on the failures of an object's passes are reported in its status, without I/O.
//
// A rejection (rejection.hpp) is reported at once, because a retry cannot succeed. Any other error may be over with the
// next try: a webhook that is being rolled out, an API server that restarts. Its report would change the conditions
// back and forth, and alert for nothing. So it counts only when it persists.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/error.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

// True for an error that the object's status can report, also of another server (net::UrlClient). False if the API
// server was not reached or does not accept our credentials, because then no status can be written either; for a fenced
// or superseded pass, a child that is being deleted, and a namespace that is being deleted.
[[nodiscard]] bool is_reportable(const Error& error);

// The failures in a row of each object. It has an entry for each object that fails.
class FailurePolicy {
 public:
  // The third failure in a row is reported, if the first one ended at least 10 s before: retries begin after
  // milliseconds, so that a restart of a few seconds causes a dozen failures. Of slow ones the second is reported: the
  // API server ends a write that it cannot finish after 34 s.
  static constexpr int kFailures = 3;
  static constexpr std::chrono::seconds kPatience{10};
  static constexpr int kSlowFailures = 2;
  static constexpr std::chrono::seconds kSlowPatience{30};

  // True if a failure now is to be reported.
  [[nodiscard]] bool is_persistent(const kube::Key& key, async::TimePoint now) const;
  // A pass of the object has ended.
  void failed(const kube::Key& key, async::TimePoint now);
  void succeeded(const kube::Key& key) { streaks_.erase(key); }

 private:
  struct Streak {
    std::uint32_t failures = 0;
    async::TimePoint since{};
  };
  std::map<kube::Key, Streak> streaks_;
};

}  // namespace keelson::controller
