// The decisions about a request that needs authentication and authorization, without I/O: which review to send next,
// and the result.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "keelson/net/http.hpp"
#include "src/access/bearer_token.hpp"
#include "src/access/memory.hpp"
#include "src/access/review.hpp"
#include "src/access/waiting_room.hpp"

namespace keelson::access {

class VisitPolicy {
 public:
  // The memory must outlive it. The expiry of a token is compared with `wall_now`. With an `audience`, a token in the
  // header kOwnTokenHeader counts, too (AuthorizedOptions::audience).
  VisitPolicy(Memory& memory, const net::Request& request, async::WallTime wall_now, std::string_view audience = {});

  enum class Next {
    kAsk,  // send `review` for `asker`, then call learn() with the reply, or lose_place()
    kPass,
    kUnauthorized,
    kTooLong,  // the token
    kForbidden,
    kAuthenticationFailed,  // the TokenReview failed: error()
    kAuthorizationFailed,   // the SubjectAccessReview failed: error()
    kTooBusy,               // too many other requests wait for reviews
  };
  struct Step {
    Next next;
    Review review{};
    Asker asker{};
  };
  [[nodiscard]] Step next(async::TimePoint now);
  void learn(const Result<std::string>& answer, async::TimePoint now);
  void lose_place() { has_lost_place_ = true; }

  // The response for a step that is neither kAsk nor kPass, in the format of Go's http.Error.
  [[nodiscard]] net::Response rejection(Next next) const;

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  // Empty until the user is authenticated.
  [[nodiscard]] std::string user_name() const { return user_ ? user_->name : std::string(); }

 private:
  [[nodiscard]] Step authenticate(async::TimePoint now) const;
  [[nodiscard]] bool is_this_process(async::TimePoint now) const;
  void learn_owner(std::string_view answer, async::TimePoint now);
  void learn_decision(std::string_view answer, async::TimePoint now);

  Memory& memory_;
  std::string verb_;
  std::string path_;
  std::string peer_;
  async::WallTime wall_now_;
  std::string audience_;  // not empty: the token is from kOwnTokenHeader
  BearerToken token_;
  tls::Sha256 token_hash_;
  std::shared_ptr<const User> user_;
  bool is_rejected_ = false;
  bool has_asked_ = false;
  bool has_lost_place_ = false;
  enum class OwnName { kNotNeeded, kNeeded, kAsking, kAsked } own_name_ = OwnName::kNotNeeded;
  tls::Sha256 review_hash_{};  // of the permission
  std::optional<bool> is_allowed_;
  std::optional<Error> error_;
};

}  // namespace keelson::access
