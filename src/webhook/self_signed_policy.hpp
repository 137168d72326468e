// Decides about the self-signed certificate without I/O: when to create one, and when to rotate to the next one.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/error.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"

namespace keelson::webhook {

// The lifetime of a certificate, and the time before its end when the next one is created.
inline constexpr auto kCertificateLifetime = std::chrono::hours(24 * 365);
inline constexpr auto kRenewBefore = std::chrono::hours(24 * 122);
// The tolerated difference between the clocks of API servers and replicas: a wrong time zone is the usual mistake.
inline constexpr auto kBackdated = std::chrono::hours(24);
// The next CA is published for this time before a replica serves with its certificate ...
inline constexpr auto kPublishedBefore = std::chrono::hours(1);
// ... and every configuration has been observed with it for this time: API servers learn of it by a watch.
inline constexpr auto kSeenBefore = std::chrono::minutes(1);

// The time for which every existing configuration has been observed with the CA bundle.
class PublishedSpan {
 public:
  // All configurations have `bundle`. The time starts again if it differs from the last one.
  void saw(const std::string& bundle, async::TimePoint now);
  void lost() { since_.reset(); }
  // Empty: not all configurations have the bundle.
  [[nodiscard]] std::optional<async::Duration> at(async::TimePoint now) const;

 private:
  std::optional<async::TimePoint> since_;
  std::string bundle_;
};

struct SelfSignedSeen {
  enum class Secret { kAbsent, kNotOwned, kUnreadable, kGood };
  Secret secret = Secret::kAbsent;
  tls::ServingCertificateFacts current;              // if the Secret is kGood
  std::optional<tls::ServingCertificateFacts> next;  // empty: it does not exist, or cannot be read
  async::WallTime next_since;
  std::optional<async::Duration> published_for;  // by a PublishedSpan
  std::string name;                              // the DNS name of our Service, which the API server calls
  async::WallTime now;
};

enum class SelfSignedAction {
  kNothing,
  kReject,       // report an error: the Secret was not created by this operator
  kCreate,       // with the certificate that was served last, if it is still valid
  kReplace,      // the same, replacing unusable contents
  kPrepareNext,  // create the next certificate and publish its CA
  kPromote,      // rotate: the next certificate becomes the current one
};

[[nodiscard]] SelfSignedAction decide(const SelfSignedSeen& seen);

// True if the error needs a person: the Secret is of another owner, a permission is missing, a text is unusable. False
// if only the API server could not be asked, because it does not answer, is overloaded or rejects the credentials: that
// has signs of its own, and the certificate in use remains good.
[[nodiscard]] bool is_about_certificate(const Error& error);

// True if the certificate is valid now and for `name`.
[[nodiscard]] bool is_usable(const tls::ServingCertificateFacts& facts, const std::string& name, async::WallTime now);

}  // namespace keelson::webhook
