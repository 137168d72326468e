#include "src/access/memory.hpp"

namespace keelson::access {

namespace {

AnswerCache::Limits for_a_time(async::Duration lifetime) {
  return {lifetime, limits::kRememberedAnswers, limits::kRememberedAnswerBytes};
}

}  // namespace

Memory::Memory()
    : owners_(for_a_time(kAuthenticated)),
      rejected_(for_a_time(kRejected)),
      passed_(for_a_time(kPassed)),
      allowed_(for_a_time(kAllowed)),
      denied_(for_a_time(kDenied)) {}

std::shared_ptr<const User> Memory::owner_of(const tls::Sha256& token, async::TimePoint now) const {
  const auto* answer = owners_.find(token, now);
  return answer != nullptr ? answer->user : nullptr;
}

bool Memory::is_rejected(const tls::Sha256& token, async::TimePoint now) const {
  return rejected_.find(token, now) != nullptr;
}

void Memory::remember_owner(const tls::Sha256& token, std::shared_ptr<const User> owner, async::TimePoint now) {
  owners_.remember(token, std::move(owner), now);
}

void Memory::remember_rejection(const tls::Sha256& token, async::TimePoint now) {
  rejected_.remember(token, nullptr, now);
}

std::shared_ptr<const User> Memory::passed_as(const tls::Sha256& token, async::TimePoint now) const {
  const auto* answer = passed_.find(token, now);
  return answer != nullptr ? answer->user : nullptr;
}

void Memory::remember_pass(const tls::Sha256& token, std::shared_ptr<const User> owner, async::TimePoint now) {
  passed_.remember(token, std::move(owner), now);
}

const std::string* Memory::own_name(async::TimePoint now) const {
  return !own_name_.empty() && now < own_name_expires_ ? &own_name_ : nullptr;
}

void Memory::remember_own_name(std::string name, async::TimePoint now) {
  own_name_ = std::move(name);
  own_name_expires_ = now + kAllowed;
}

std::optional<bool> Memory::is_allowed(const tls::Sha256& review, async::TimePoint now) const {
  if (denied_.find(review, now) != nullptr) return false;
  if (allowed_.find(review, now) != nullptr) return true;
  return std::nullopt;
}

void Memory::remember_decision(const tls::Sha256& review, bool is_allowed, async::TimePoint now) {
  (is_allowed ? allowed_ : denied_).remember(review, nullptr, now);
}

}  // namespace keelson::access
