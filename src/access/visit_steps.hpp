// One request on its way through the guard, as plain code: what to ask the API server, and how it ends.
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

class VisitSteps {
 public:
  // The memory must outlive it. `wall_now` is what a token's end is compared with.
  VisitSteps(Memory& memory, const net::Request& request, async::WallTime wall_now);

  enum class Next {
    kAsk,  // `review` for `asker`, and tell what came of it by learn() or lose_place()
    kPass,
    kUnauthorized,
    kTooLong,  // the token
    kForbidden,
    kAuthenticationFailed,  // there was no answer: error()
    kAuthorizationFailed,   // the same
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

  // How a step that is neither kAsk nor kPass is answered, as Go's http.Error words it.
  [[nodiscard]] net::Response refusal(Next next) const;

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  // Empty before he is known.
  [[nodiscard]] std::string user_name() const { return user_ ? user_->name : std::string(); }

 private:
  [[nodiscard]] Step authenticate(async::TimePoint now) const;
  void learn_owner(std::string_view answer, async::TimePoint now);
  void learn_decision(std::string_view answer, async::TimePoint now);

  Memory& memory_;
  std::string verb_;
  std::string path_;
  std::string peer_;
  async::WallTime wall_now_;
  BearerToken token_;
  net::Sha256 token_hash_;
  std::shared_ptr<const User> user_;
  bool is_refused_ = false;
  bool has_asked_ = false;
  bool has_lost_place_ = false;
  net::Sha256 review_hash_{};  // of the permission
  std::optional<bool> is_allowed_;
  std::optional<Error> error_;
};

}  // namespace keelson::access
