// What is to be done about our own certificates, as plain code: when to make one, when to serve with the next.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/net/certificate_authority.hpp"

namespace keelson::webhook {

// How long a certificate is good for, and when the next one is made.
inline constexpr auto kCertificateLifetime = std::chrono::hours(24 * 365);
inline constexpr auto kRenewBefore = std::chrono::hours(24 * 122);
// Clocks of API servers and replicas may differ by so much: a wrong time zone is the usual mistake.
inline constexpr auto kBackdated = std::chrono::hours(24);
// The next authority is trusted everywhere for so long before anybody serves with its certificate ...
inline constexpr auto kPublishedBefore = std::chrono::hours(1);
// ... and the configurations have been seen to say so for so long: API servers hear of it by a watch.
inline constexpr auto kSeenBefore = std::chrono::minutes(1);

// For how long every configuration that is there has carried the authorities, by looks at them.
class PublishedSpan {
 public:
  // All of them carry `bundle`: since when, counted anew for one that is not the last one.
  void saw(const std::string& bundle, async::TimePoint now);
  void lost() { since_.reset(); }
  // None: not all of them do.
  [[nodiscard]] std::optional<async::Duration> at(async::TimePoint now) const;

 private:
  std::optional<async::TimePoint> since_;
  std::string bundle_;
};

struct SelfSignedSeen {
  enum class Secret { kAbsent, kForeign, kUnreadable, kGood };
  Secret secret = Secret::kAbsent;
  net::IdentityFacts current;              // of a good one
  std::optional<net::IdentityFacts> next;  // none: there is none, or it cannot be read
  async::WallTime next_since;
  std::optional<async::Duration> published_for;  // by a PublishedSpan
  std::string name;                              // that the API server calls us by
  async::WallTime now;
};

enum class SelfSignedAction {
  kNothing,
  kRefuse,       // the Secret is somebody else's
  kCreate,       // with what we remember, if that is still good
  kReplace,      // the same over what is of no use
  kPrepareNext,  // and publish it
  kPromote,      // the next becomes the current
};

[[nodiscard]] SelfSignedAction decide(const SelfSignedSeen& seen);

// It is valid now, and for that name.
[[nodiscard]] bool is_usable(const net::IdentityFacts& facts, const std::string& name, async::WallTime now);

}  // namespace keelson::webhook
