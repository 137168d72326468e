// The cached answers about tokens and permissions, each kind with its own lifetime.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "src/access/answer_cache.hpp"

namespace keelson::limits {

// The entries, and their bytes, of each of the five caches: owners of tokens, rejected tokens, tokens of authorized
// requests, permissions, denials. There are only a few scrapers. The caches are separate, so that invented tokens never
// evict a valid one.
inline constexpr std::size_t kRememberedAnswers = 1024;
inline constexpr std::size_t kRememberedAnswerBytes = std::size_t{1} << 20;

}  // namespace keelson::limits

namespace keelson::access {

// The lifetimes of the API server's answers, as in controller-runtime, except that of a rejected token: it may become
// valid soon, when its ServiceAccount has just been created.
inline constexpr std::chrono::minutes kAuthenticated{1};
inline constexpr std::chrono::seconds kRejected{10};
inline constexpr std::chrono::minutes kAllowed{5};
inline constexpr std::chrono::seconds kDenied{30};

// How long reviews of a token that passed have priority over those of unknown tokens. Every scraper sends requests more
// often.
inline constexpr std::chrono::hours kPassed{1};

class Memory {
 public:
  Memory();

  // Tokens, by their hash.
  [[nodiscard]] std::shared_ptr<const User> owner_of(const tls::Sha256& token, async::TimePoint now) const;
  [[nodiscard]] bool is_rejected(const tls::Sha256& token, async::TimePoint now) const;
  void remember_owner(const tls::Sha256& token, std::shared_ptr<const User> owner, async::TimePoint now);
  void remember_rejection(const tls::Sha256& token, async::TimePoint now);

  // The owner of a token that passed in the last hour: authenticated, and authorized for what was requested. Only such
  // tokens are stored, so that a tenant's many valid tokens do not evict a scraper's. An entry grants no access.
  [[nodiscard]] std::shared_ptr<const User> passed_as(const tls::Sha256& token, async::TimePoint now) const;
  void remember_pass(const tls::Sha256& token, std::shared_ptr<const User> owner, async::TimePoint now);

  // The user name of this process, for as long as a permission.
  [[nodiscard]] const std::string* own_name(async::TimePoint now) const;
  void remember_own_name(std::string name, async::TimePoint now);

  // Permissions, by the hash of their SubjectAccessReview.
  [[nodiscard]] std::optional<bool> is_allowed(const tls::Sha256& review, async::TimePoint now) const;
  void remember_decision(const tls::Sha256& review, bool is_allowed, async::TimePoint now);

 private:
  AnswerCache owners_;
  AnswerCache rejected_;
  AnswerCache passed_;
  AnswerCache allowed_;
  AnswerCache denied_;
  std::string own_name_;
  async::TimePoint own_name_expires_{};
};

}  // namespace keelson::access
