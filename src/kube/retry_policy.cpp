#include "src/kube/retry_policy.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "keelson/detail/base/text.hpp"
#include "src/kube/api_request.hpp"
#include "src/kube/status_error.hpp"

namespace keelson::kube {

RetryPolicy::RetryPolicy(const ApiRequest& request, base::Random& random)
    : random_(random), may_repeat_reads_(is_read(request.verb)), may_refresh_(is_idempotent(request)) {}

RetryPolicy::Step RetryPolicy::after_answer(int status, const net::Headers& headers, Scope scope) {
  if (status == 401 && std::exchange(may_refresh_, false)) return {Next::kNewCredentials, {}};
  if ((status != 429 && status < 500) || scope == Scope::kObject) return {};
  auto seconds = retry_after(headers);
  return seconds ? wait_for(*seconds) : Step{};
}

RetryPolicy::Step RetryPolicy::after_error(const Error& error) {
  if (!may_repeat_reads_ || !is_broken_connection(error)) return {};
  auto step = wait_for(std::chrono::seconds(1));
  if (step.next == Next::kWait) earlier_ = error.message();
  return step;
}

RetryPolicy::Step RetryPolicy::wait_for(std::chrono::seconds seconds) {
  if (++retries_ > kMaxRetries || waited_ + seconds > kMaxWait) return {};
  waited_ += seconds;
  auto wait = std::chrono::duration<double>(seconds) * (1 + random_.unit() / 10);
  return {Next::kWait, std::chrono::duration_cast<async::Duration>(wait)};
}

Error RetryPolicy::final_error(Error error) const {
  if (!earlier_.empty() && error.message() != earlier_) {
    error.text += " - error from a previous attempt: " + earlier_;
  }
  return error;
}

bool is_broken_connection(const Error& error) {
  if (error.kind != Error::Kind::kTransport) return false;
  constexpr std::string_view kWords[] = {"reset by peer", "end of file", "end of stream", "unexpected eof",
                                         ": eof",         "broken pipe", "closed",        "partial message",
                                         "truncated",     "broke off"};
  auto text = base::to_lower(error.text);
  if (text == "eof") return true;
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&text](std::string_view word) { return text.find(word) != std::string::npos; });
}

}  // namespace keelson::kube
