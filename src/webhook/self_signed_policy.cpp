#include "src/webhook/self_signed_policy.hpp"

#include <algorithm>

namespace keelson::webhook {

namespace {

bool is_for(const tls::ServingCertificateFacts& facts, const std::string& name) {
  return std::ranges::find(facts.names, name) != facts.names.end();
}

bool has_been_published(const SelfSignedSeen& seen) { return seen.published_for && *seen.published_for >= kSeenBefore; }

}  // namespace

bool is_about_certificate(const Error& error) {
  switch (error.kind) {
    case Error::Kind::kTransport:
    case Error::Kind::kTimeout:
    case Error::Kind::kFenced:
      return false;
    case Error::Kind::kStatus:
      return error.code < 500 && error.code != 429 && error.code != 401;
    default:
      return true;
  }
}

bool is_usable(const tls::ServingCertificateFacts& facts, const std::string& name, async::WallTime now) {
  return is_for(facts, name) && now < facts.until;
}

void PublishedSpan::saw(const std::string& bundle, async::TimePoint now) {
  if (since_ && bundle_ == bundle) return;
  since_ = now;
  bundle_ = bundle;
}

std::optional<async::Duration> PublishedSpan::at(async::TimePoint now) const {
  if (!since_) return std::nullopt;
  return now - *since_;
}

SelfSignedAction decide(const SelfSignedSeen& seen) {
  using Secret = SelfSignedSeen::Secret;
  switch (seen.secret) {
    case Secret::kNotOwned:
      return SelfSignedAction::kReject;
    case Secret::kAbsent:
      return SelfSignedAction::kCreate;
    case Secret::kUnreadable:
      return SelfSignedAction::kReplace;
    case Secret::kGood:
      break;
  }
  // Clients do not trust an expired certificate, so it is replaced without a waiting time.
  if (seen.now >= seen.current.until) return SelfSignedAction::kReplace;
  const bool is_for_us = is_for(seen.current, seen.name);
  if (seen.next && is_usable(*seen.next, seen.name, seen.now)) {
    const bool is_ripe = !is_for_us || seen.now - seen.next_since >= kPublishedBefore;
    return is_ripe && has_been_published(seen) ? SelfSignedAction::kPromote : SelfSignedAction::kNothing;
  }
  const bool is_due = seen.current.until - seen.now <= kRenewBefore;
  return is_due || !is_for_us ? SelfSignedAction::kPrepareNext : SelfSignedAction::kNothing;
}

}  // namespace keelson::webhook
