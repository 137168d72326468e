// Decides whether requests to the API server take longer than usual. No I/O.
//
// Each kind of request (verb, resource, subresource) is compared with itself only: creating a Pod that a webhook
// validates may take ten times as long as renewing a lease, and that is no overload.
#pragma once

#include <map>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/kube/rest_client.hpp"

namespace keelson::controller {

class RequestLatency {
 public:
  // True if this answer took more than a second, which Kubernetes promises for 99 % of requests for single objects (its
  // scalability SLO), and if the smoothed duration of its kind is above that and three times the shortest of the last
  // minutes. False for lists, watches and deletions of collections: they take long by their nature.
  //
  // A kind without a request in the last minute is forgotten.
  [[nodiscard]] bool is_rising(const kube::Answer& answer, async::TimePoint now);

 private:
  struct Durations {
    double smoothed = 0;  // seconds, as are the others
    double shortest = 0;  // of the current window
    double shortest_before = 0;
    async::TimePoint window_began;
    async::TimePoint last;
  };

  // Null if there is no room for another kind.
  [[nodiscard]] Durations* find_or_add(const kube::Answer& answer, double seconds, async::TimePoint now);

  std::map<std::string, Durations, std::less<>> kinds_;  // by "patch deployments.apps/status"
};

}  // namespace keelson::controller
