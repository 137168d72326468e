#include "src/access/gate.hpp"

#include <utility>

namespace keelson::access {
namespace asio = boost::asio;

namespace {

// controller-runtime's V of what it lets strangers make it log.
constexpr int kRefusals = 4;

}  // namespace

asio::awaitable<std::optional<net::Response>> Gate::refuse(const net::Request& request) {
  using Next = VisitSteps::Next;
  VisitSteps visit(memory_, request);
  for (;;) {
    auto step = visit.next(clock_.now());
    if (step.next == Next::kPass) co_return std::nullopt;
    if (step.next != Next::kAsk) {
      tell(step.next, visit);
      co_return visit.refusal(step.next);
    }
    auto answer = co_await reviewer_.ask(std::move(step.review));
    auto& last_error = visit.user_name().empty() ? last_authentication_error_ : last_authorization_error_;
    visit.learn(answer, clock_.now());
    if (!visit.error()) last_error.clear();
  }
}

void Gate::tell(VisitSteps::Next next, const VisitSteps& visit) {
  using Next = VisitSteps::Next;
  switch (next) {
    case Next::kAuthenticationFailed:
      tell_failure(*visit.error(), "Authentication failed", last_authentication_error_);
      break;
    case Next::kAuthorizationFailed:
      tell_failure(*visit.error(), "Authorization failed", last_authorization_error_);
      break;
    case Next::kForbidden:
      log_.debug("Authorization denied", {{"user", visit.user_name()}}, kRefusals);
      break;
    default:
      log_.debug("Authentication failed", {}, kRefusals);
  }
}

// The same error is told once, however often a stranger makes it come.
void Gate::tell_failure(const Error& error, std::string_view message, std::string& last_error) {
  if (std::exchange(last_error, error.message()) == error.message()) return;
  log_.error(error, message);
}

}  // namespace keelson::access
