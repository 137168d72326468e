#include "src/access/visit_policy.hpp"

#include "keelson/detail/access/authorized.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/request_path.hpp"
#include "src/access/token_form.hpp"

namespace keelson::access {

namespace {

net::Response plain(int status, const std::string& text) { return net::text_response(status, text + "\n"); }

// Of the review itself: this process is not authenticated. Other errors are only logged.
constexpr const char* kOwnCredentials = ": the API server answers this process with 401 Unauthorized";
bool is_unauthenticated(const std::optional<Error>& error) {
  return error && error->kind == Error::Kind::kStatus && error->code == 401;
}

// The reply is that of API Priority and Fairness. The delay is short, because the queue advances with each review.
net::Response busy() {
  auto response = plain(503, "Too many requests are waiting for authentication");
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

// Authenticated users are counted by name, not by address: behind a NAT all peers have the same address.
std::string client_of(const User& user) { return "user " + user.name; }

}  // namespace

VisitPolicy::VisitPolicy(Memory& memory, const net::Request& request, async::WallTime wall_now,
                         std::string_view audience)
    : memory_(memory),
      verb_(base::to_lower(request.method)),
      path_(net::path_of(request)),
      peer_(request.peer),
      wall_now_(wall_now),
      token_(bearer_token(request.headers)),
      token_hash_(tls::sha256(token_.text)) {
  if (audience.empty() || net::header(request.headers, kOwnTokenHeader).empty()) return;
  audience_ = audience;
  own_name_ = OwnName::kNeeded;
  token_ = bearer_token(request.headers, kOwnTokenHeader);
  // The same token may be valid for one audience and not for the other.
  token_hash_ = tls::sha256(audience_ + "\n" + token_.text);
}

VisitPolicy::Step VisitPolicy::next(async::TimePoint now) {
  if (has_lost_place_) return {Next::kTooBusy};
  if (error_) return {user_ ? Next::kAuthorizationFailed : Next::kAuthenticationFailed};
  if (token_.found == BearerToken::Found::kTooLong) return {Next::kTooLong};
  if (token_.found == BearerToken::Found::kNone) return {Next::kUnauthorized};
  if (!user_) user_ = memory_.owner_of(token_hash_, now);
  if (!user_) return authenticate(now);
  if (own_name_ == OwnName::kNeeded && memory_.own_name(now) == nullptr) {
    own_name_ = OwnName::kAsking;
    return {Next::kAsk, self_review(), {Standing::kAuthenticated, client_of(*user_)}};
  }
  if (is_this_process(now)) {
    if (has_asked_) memory_.remember_pass(token_hash_, user_, now);
    return {Next::kPass};
  }
  auto review = access_review(*user_, verb_, path_);
  review_hash_ = tls::sha256(review.body);
  if (!is_allowed_) is_allowed_ = memory_.is_allowed(review_hash_, now);
  if (!is_allowed_) {
    const auto standing = memory_.passed_as(token_hash_, now) ? Standing::kKnown : Standing::kAuthenticated;
    return {Next::kAsk, std::move(review), {standing, client_of(*user_)}};
  }
  if (*is_allowed_ && has_asked_) memory_.remember_pass(token_hash_, user_, now);
  return {*is_allowed_ ? Next::kPass : Next::kForbidden};
}

// A client that can request a token of our own ServiceAccount can request one for the API server, too, and so has all
// permissions of this process.
bool VisitPolicy::is_this_process(async::TimePoint now) const {
  const auto* own = own_name_ == OwnName::kNotNeeded ? nullptr : memory_.own_name(now);
  return own != nullptr && *own == user_->name;
}

// The form of a token that passed before is not checked, so that its scraper is served even if the local clock is
// wrong. Opaque tokens are not rejected by their form, because static tokens, bootstrap tokens and authentication
// webhooks allow any text; they only have fewer turns.
VisitPolicy::Step VisitPolicy::authenticate(async::TimePoint now) const {
  if (is_rejected_ || memory_.is_rejected(token_hash_, now)) return {Next::kUnauthorized};
  if (const auto owner = memory_.passed_as(token_hash_, now)) {
    return {Next::kAsk, token_review(token_.text, audience_), {Standing::kKnown, client_of(*owner)}};
  }
  const auto form = form_of(token_.text, wall_now_);
  if (form == TokenForm::kExpiredJwt) return {Next::kUnauthorized};
  const auto standing = form == TokenForm::kJwt ? Standing::kUnknown : Standing::kOpaque;
  return {Next::kAsk, token_review(token_.text, audience_), {standing, peer_}};
}

void VisitPolicy::learn(const Result<std::string>& answer, async::TimePoint now) {
  has_asked_ = true;
  if (own_name_ == OwnName::kAsking) {
    // Before Kubernetes 1.28 there is no SelfSubjectReview: the user's permission decides.
    own_name_ = OwnName::kAsked;
    auto name = answer ? parse_self_review(*answer) : Result<std::string>(answer.error());
    if (name) memory_.remember_own_name(std::move(*name), now);
    return;
  }
  if (!answer) {
    error_ = answer.error();
  } else if (!user_) {
    learn_owner(*answer, now);
  } else {
    learn_decision(*answer, now);
  }
}

void VisitPolicy::learn_owner(std::string_view answer, async::TimePoint now) {
  auto owner = parse_token_review(answer, audience_);
  if (!owner) {
    error_ = std::move(owner.error());
    return;
  }
  is_rejected_ = !*owner;
  if (is_rejected_) {
    memory_.remember_rejection(token_hash_, now);
    return;
  }
  user_ = std::make_shared<const User>(std::move(**owner));
  memory_.remember_owner(token_hash_, user_, now);
}

void VisitPolicy::learn_decision(std::string_view answer, async::TimePoint now) {
  auto allowed = parse_access_review(answer);
  if (!allowed) {
    error_ = std::move(allowed.error());
    return;
  }
  is_allowed_ = *allowed;
  memory_.remember_decision(review_hash_, *allowed, now);
}

net::Response VisitPolicy::rejection(Next next) const {
  switch (next) {
    case Next::kAsk:
    case Next::kPass:
      break;
    case Next::kUnauthorized:
      return plain(401, "Unauthorized");
    case Next::kTooLong:
      return plain(431, "Bearer token is too long");
    case Next::kForbidden:
      return plain(403, "Authorization denied for user " + user_name());
    case Next::kAuthenticationFailed:
      return plain(500, std::string("Authentication failed") + (is_unauthenticated(error_) ? kOwnCredentials : ""));
    case Next::kAuthorizationFailed:
      return plain(500, "Authorization for user " + user_name() + " failed");
    case Next::kTooBusy:
      return busy();
  }
  return plain(500, "internal error");
}

}  // namespace keelson::access
