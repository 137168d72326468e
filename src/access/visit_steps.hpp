// One request on its way through the guard, as plain code: what to ask the API server, and how it ends.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "keelson/net/http.hpp"
#include "src/access/bearer_token.hpp"
#include "src/access/memory.hpp"
#include "src/access/review.hpp"

namespace keelson::access {

class VisitSteps {
 public:
  // The memory must outlive it.
  VisitSteps(Memory& memory, const net::Request& request);

  enum class Next {
    kAsk,  // `review`, and tell what came of it by learn()
    kPass,
    kUnauthorized,
    kTooLong,  // the token
    kForbidden,
    kAuthenticationFailed,  // there was no answer: error()
    kAuthorizationFailed,   // the same
  };
  struct Step {
    Next next;
    Review review{};
  };
  [[nodiscard]] Step next(async::TimePoint now);
  void learn(const Result<std::string>& answer, async::TimePoint now);

  // How a step that is neither kAsk nor kPass is answered, as Go's http.Error words it.
  [[nodiscard]] net::Response refusal(Next next) const;

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  // Empty before he is known.
  [[nodiscard]] std::string user_name() const { return user_ ? user_->name : std::string(); }

 private:
  void learn_owner(std::string_view answer, async::TimePoint now);
  void learn_decision(std::string_view answer, async::TimePoint now);

  Memory& memory_;
  std::string verb_;
  std::string path_;
  BearerToken token_;
  net::Sha256 token_hash_;
  std::shared_ptr<const User> user_;
  bool is_refused_ = false;
  net::Sha256 review_hash_{};  // of the permission
  std::optional<bool> is_allowed_;
  std::optional<Error> error_;
};

}  // namespace keelson::access
