// Validation of an elector's durations, and its identity.
#include <unistd.h>

#include <array>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/leader/elector.hpp"

namespace keelson::leader {
using namespace std::chrono_literals;

namespace {

// leaseDurationSeconds is an int32.
constexpr auto kLongestLease = std::chrono::seconds(2147483647);

Error rejection(const char* rule, const char* remedy) { return invalid_error(std::string(rule) + ": " + remedy); }

std::string values(const Timing& timing) {
  return " (they are " + base::format_go_duration(timing.lease_duration) + ", " +
         base::format_go_duration(timing.renew_deadline) + " and " + base::format_go_duration(timing.retry_period) +
         ")";
}

Result<void> check(const Timing& timing) {
  if (timing.lease_duration <= timing.renew_deadline) {
    return rejection("leaseDuration must be greater than renewDeadline",
                     "raise --leader-elect-lease-duration or lower --leader-elect-renew-deadline");
  }
  if (std::chrono::duration<double>(timing.renew_deadline) <= timing.retry_period * Timing::kJitter) {
    return rejection(
        "renewDeadline must be greater than retryPeriod*JitterFactor",
        "raise --leader-elect-renew-deadline or lower --leader-elect-retry-period, which counts 1.2 times");
  }
  if (timing.lease_duration < 1ns) {
    return rejection("leaseDuration must be greater than zero", "set a duration such as 15s");
  }
  if (timing.renew_deadline < 1ns) {
    return rejection("renewDeadline must be greater than zero", "set a duration such as 10s");
  }
  if (timing.retry_period < 1ns) return rejection("retryPeriod must be greater than zero", "set a duration such as 2s");
  if (timing.lease_duration > kLongestLease) {
    return rejection("leaseDuration is too long", "the maximum is 2147483647s");
  }
  return {};
}

}  // namespace

Result<void> validate(const Timing& timing) {
  auto checked = check(timing);
  if (!checked) checked.error().text += values(timing);
  return checked;
}

async::Duration Timing::request_timeout() const { return std::max<async::Duration>(1s, renew_deadline / 2); }

async::Duration Timing::delivery_timeout() const {
  return std::max<async::Duration>(1ms, (lease_duration - renew_deadline) / 2);
}

std::string make_identity(base::Random& random) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return std::string(host.data()) + "_" + random.uuid();
}

}  // namespace keelson::leader
