#include "src/controller/reconcile_policy.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include "keelson/detail/base/assert.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::controller {

namespace {

// The limit of a server's Retry-After.
constexpr std::chrono::seconds kLongestStay(60);

// Shorter answers occupy a worker less than the backoff of their retries does.
constexpr std::chrono::seconds kSlowFailure(5);
constexpr std::chrono::minutes kLongestPace(5);

// Conflicts and overload are answers that the next try usually does not get.
bool is_passing(const Error& error) { return error.code == 409 || error.code == 429 || error.code == 503; }

// "… in namespace web because it is being terminated", and the cause's "namespace web is being terminated".
bool is_about(const Error& error, const std::string& ns) {
  if (ns.empty()) return false;
  auto says = [&](const std::string& text, const char* rest) {
    return text.find(" namespace " + ns + rest) != std::string::npos ||
           text.find("\"namespace " + ns + rest) != std::string::npos;
  };
  return says(error.server_text, " because it is being terminated") ||
         says(error.status_body, " because it is being terminated") || says(error.status_body, " is being terminated");
}

}  // namespace

Verdict judge(const Result<Outcome>& ended, const kube::Key& key) {
  Verdict verdict;
  if (!ended) {
    const Error& error = ended.error();
    verdict.count = Verdict::Count::kError;
    verdict.delay = std::min(error.retry_after.value_or(std::chrono::seconds(0)), kLongestStay);
    if (error.kind == Error::Kind::kFenced) {
      verdict.log = Verdict::Log::kQuiet;
      verdict.count = Verdict::Count::kNone;
      verdict.queue = Verdict::Queue::kAddWithDelay;
      return verdict;
    }
    if (kube::is_namespace_terminating(error)) {
      verdict.log = Verdict::Log::kQuiet;
      verdict.queue = is_about(error, key.ns) ? Verdict::Queue::kForget : Verdict::Queue::kAddWithDelay;
      return verdict;
    }
    verdict.is_terminal = error.kind == Error::Kind::kTerminal;
    verdict.queue = verdict.is_terminal ? Verdict::Queue::kLeave : Verdict::Queue::kAddWithDelay;
    const bool is_stale = kube::is_conflict(error) && !kube::is_apply_conflict(error);
    verdict.log = is_stale ? Verdict::Log::kQuiet : Verdict::Log::kError;
    return verdict;
  }
  if (!ended->after()) return verdict;
  verdict.queue = Verdict::Queue::kAddAfter;
  verdict.delay = *ended->after();
  verdict.count = Verdict::Count::kRequeueAfter;
  return verdict;
}

Verdict after_slow_failure(Verdict verdict, const Result<Outcome>& ended, async::Duration lasted) {
  const bool is_answer = !ended && ended.error().kind == Error::Kind::kStatus && !ended.error().retry_after;
  if (!is_answer || is_passing(ended.error()) || verdict.queue != Verdict::Queue::kAddWithDelay ||
      lasted < kSlowFailure) {
    return verdict;
  }
  const auto delay = std::min<async::Duration>(3 * lasted, kLongestPace);
  verdict.delay = std::max(verdict.delay, delay);
  return verdict;
}

Verdict in_dry_run(Verdict verdict, DryRunTally before, DryRunTally after) {
  const auto differences = after.differences - before.differences;
  if (differences == 0 || verdict.queue != Verdict::Queue::kAddAfter) return verdict;
  const bool only_repeats = after.repeated - before.repeated == differences;
  verdict.queue = only_repeats ? Verdict::Queue::kForget : Verdict::Queue::kAddWithDelay;
  if (only_repeats) verdict.count = Verdict::Count::kSuccess;
  return verdict;
}

Error panic_error(const std::exception_ptr& left_behind) {
  std::string what = "unknown exception";
  try {
    std::rethrow_exception(left_behind);
  } catch (const std::bad_alloc&) {
    base::assertion_failed("out of memory in a controller", __FILE__, __LINE__);
  } catch (const std::exception& exception) {
    what = exception.what();
  } catch (...) {
  }
  return invalid_error("panic: " + what + " [recovered]");
}

kube::Key parse_key(std::string_view text) {
  auto slash = text.find('/');
  if (slash == std::string_view::npos) return {std::string_view(), text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

}  // namespace keelson::controller
