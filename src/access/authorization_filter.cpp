#include "src/access/authorization_filter.hpp"

#include <utility>

namespace keelson::access {
namespace asio = boost::asio;

namespace {

// controller-runtime's log level for rejections, which unauthenticated clients can cause.
constexpr int kRejections = 4;

}  // namespace

asio::awaitable<std::optional<net::Response>> AuthorizationFilter::authorize(const net::Request& request,
                                                                             std::string* user) {
  using Next = VisitPolicy::Next;
  VisitPolicy visit(memory_, request, clock_.wall_now(), audience_);
  for (;;) {
    auto step = visit.next(clock_.now());
    if (step.next == Next::kPass) {
      if (user != nullptr) *user = visit.user_name();
      co_return std::nullopt;
    }
    if (step.next != Next::kAsk) {
      tell(step.next, visit);
      co_return visit.rejection(step.next);
    }
    auto answer = co_await reviewer_.ask(std::move(step.review), std::move(step.asker));
    if (!answer) {
      visit.lose_place();
      continue;
    }
    auto& last_error = visit.user_name().empty() ? last_authentication_error_ : last_authorization_error_;
    visit.learn(*answer, clock_.now());
    if (!visit.error()) last_error.clear();
  }
}

void AuthorizationFilter::tell(VisitPolicy::Next next, const VisitPolicy& visit) {
  using Next = VisitPolicy::Next;
  switch (next) {
    case Next::kAuthenticationFailed:
      tell_failure(*visit.error(), "Authentication failed", last_authentication_error_);
      break;
    case Next::kAuthorizationFailed:
      tell_failure(*visit.error(), "Authorization failed", last_authorization_error_);
      break;
    case Next::kTooBusy:
      if (auto line = busy_lines_.admit(log_)) line->info("Too many requests are waiting for authentication");
      break;
    default:
      tell_denial(next, visit);
  }
}

void AuthorizationFilter::tell_denial(VisitPolicy::Next next, const VisitPolicy& visit) {
  if (!log_.enabled(kRejections)) return;
  auto line = denial_lines_.admit(log_);
  if (!line) return;
  if (next == VisitPolicy::Next::kForbidden) {
    line->debug("Authorization denied", {{"user", visit.user_name()}}, kRejections);
  } else {
    line->debug("Authentication failed", {}, kRejections);
  }
}

// An error that repeats is logged once, so that unauthenticated clients cannot flood the log; alternating errors are
// rate-limited.
void AuthorizationFilter::tell_failure(const Error& error, std::string_view message, std::string& last_error) {
  if (std::exchange(last_error, error.message()) == error.message()) return;
  if (auto line = failure_lines_.admit(log_)) line->error(error, message);
}

}  // namespace keelson::access
