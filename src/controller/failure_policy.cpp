#include "src/controller/failure_policy.hpp"

#include "keelson/kube/client.hpp"
#include "keelson/net/url_client.hpp"

namespace keelson::controller {

bool is_reportable(const Error& error) {
  if (net::is_url_error(error)) return true;
  switch (error.kind) {
    case Error::Kind::kTransport:
    case Error::Kind::kTimeout:
    case Error::Kind::kFenced:
    case Error::Kind::kChildDeleting:
    case Error::Kind::kSuperseded:
      return false;
    case Error::Kind::kStatus:
      return error.code != 401 && !kube::is_namespace_terminating(error);
    default:
      return true;
  }
}

bool FailurePolicy::is_persistent(const kube::Key& key, async::TimePoint now) const {
  const auto found = streaks_.find(key);
  if (found == streaks_.end()) return false;
  const auto failures = found->second.failures + 1;
  const auto lasted = now - found->second.since;
  return (failures >= kFailures && lasted >= kPatience) || (failures >= kSlowFailures && lasted >= kSlowPatience);
}

void FailurePolicy::failed(const kube::Key& key, async::TimePoint now) {
  auto& streak = streaks_.try_emplace(key, Streak{0, now}).first->second;
  ++streak.failures;
}

}  // namespace keelson::controller
