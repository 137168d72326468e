#include "src/webhook/admission_handler.hpp"

#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/webhook/review_limits.hpp"
#include "src/webhook/review_policy.hpp"
#include "src/webhook/slices.hpp"

namespace keelson::webhook {
namespace asio = boost::asio;

namespace {

constexpr int kInternalError = 500;
constexpr int kTimeout = 504;
// logr's V level of requests and responses, as in controller-runtime.
constexpr int kTraffic = 5;
// Enough for several field errors; the sender of the review determines the length.
constexpr std::size_t kLoggedReasonBytes = 1024;

net::ServerReply json_reply(std::string body) {
  net::ServerReply reply;
  reply.response.status = 200;
  reply.response.headers = {{"Content-Type", "application/json"}};
  reply.response.body = std::move(body);
  return reply;
}

net::ServerReply not_found() {
  net::ServerReply reply;
  reply.response = net::not_found_response();
  return reply;
}

// The message of a denial, or the errors of an Invalid, shortened.
std::string logged_reason(const Decision& decision) {
  auto reason = decision.message();
  for (const auto& error : decision.errors()) {
    if (reason.size() > kLoggedReasonBytes) break;
    if (!reason.empty()) reason += ", ";
    reason += error.message();
  }
  return base::to_valid_utf8(base::cut_utf8(reason, kLoggedReasonBytes));
}

// Counts a request as in progress until it ends, even by an exception or a cancellation.
class InFlight {
 public:
  InFlight(async::Clock& clock, EndpointMetrics& metrics) : clock_(clock), metrics_(metrics), begun_(clock.now()) {
    metrics_.in_flight.add(1);
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() {
    metrics_.in_flight.add(-1);
    metrics_.latency.observe(std::chrono::duration<double>(clock_.now() - begun_).count());
  }

 private:
  async::Clock& clock_;
  EndpointMetrics& metrics_;
  async::TimePoint begun_;
};

}  // namespace

AdmissionHandler::AdmissionHandler(async::Clock& clock, const Logger& log, metrics::Registry& registry,
                                   net::ServerBudget& budget, std::vector<ServedWebhook> webhooks)
    : clock_(clock), log_(log.named("webhook")), budget_(budget), metrics_(registry) {
  for (auto& webhook : webhooks) {
    const auto path = webhook.path;
    log_.info("Registering webhook", {{"path", path}});
    const auto& kind = webhook.object_kind;
    auto logger = log.named("admission").with({{"webhookGroup", kind.group}, {"webhookKind", kind.kind}});
    auto added = endpoints_.try_emplace(path, std::move(webhook), std::move(logger), registry);
    KEELSON_ASSERT(added.second);
  }
}

asio::awaitable<net::ServerReply> AdmissionHandler::serve(net::Request request) {
  const auto path = request.target.substr(0, request.target.find('?'));
  const auto found = endpoints_.find(path);
  if (found == endpoints_.end()) co_return not_found();
  InFlight counted(clock_, found->second.metrics);
  auto body = co_await answer(found->second, found->first, std::move(request));
  found->second.metrics.answered.increment();
  co_return json_reply(std::move(body));
}

net::Response AdmissionHandler::too_large() {
  Answer answer;
  answer.decision = too_large_decision();
  return json_reply(review_text(answer)).response;
}

asio::awaitable<std::string> AdmissionHandler::answer(Endpoint& endpoint, const std::string& path,
                                                      net::Request request) {
  Progress progress;
  auto& answer = progress.answer;
  answer.resource = endpoint.webhook.object_kind;
  if (auto rejected = reject_http(request)) {
    if (auto line = undecodable_lines_.admit(endpoint.log)) {
      line->error(invalid_error(rejected->message()), "bad request");
    }
    answer.decision = std::move(*rejected);
  } else {
    co_await review_in_time(endpoint, request, progress);
  }
  const auto& decision = answer.decision;
  const auto code = std::to_string(decision.code());
  metrics_.decisions.with({path, progress.operation, decision.is_allowed() ? "true" : "false", code}).increment();
  co_return review_text(answer);
}

// Internal failures (5xx) are logged as errors before. Any peer can send reviews, so the number and the size of lines
// are bounded.
void AdmissionHandler::log_denial(const Logger& log, const std::string& operation, const Decision& decision) {
  if (decision.is_allowed() || decision.code() >= kInternalError) return;
  auto line = denied_lines_.admit(log);
  if (!line) return;
  const auto reason = logged_reason(decision);
  line->info("Denied the request", {{"operation", operation}, {"code", decision.code()}, {"reason", reason}});
}

// The API server stops waiting at the timeout, so the author's coroutine is canceled. Any peer can choose a timeout
// that is too short for every review, so the number of lines is bounded.
asio::awaitable<void> AdmissionHandler::review_in_time(Endpoint& endpoint, const net::Request& request,
                                                       Progress& progress) {
  const auto limit = time_for(request.target);
  auto reviewed = review_in_turn(endpoint, request, progress);
  auto in_time = co_await async::finish_within(clock_, limit, std::move(reviewed));
  if (in_time) co_return;
  auto& answer = progress.answer;
  answer.patch.clear();
  answer.decision = Decision::fail(kTimeout, "the review took longer than " + base::format_go_duration(limit));
  auto line = timed_out_lines_.admit(progress.log ? *progress.log : endpoint.log);
  if (line) line->error(timeout_error(answer.decision.message()), "webhook timed out");
}

// A review needs a multiple of its size. Large ones are processed one at a time, and the others wait in order of their
// arrival until their timeout.
asio::awaitable<void> AdmissionHandler::review_in_turn(Endpoint& endpoint, const net::Request& request,
                                                       Progress& progress) {
  const auto bytes = request.body.size();
  const bool is_large = bytes > kLargeReviewBytes;
  auto& memory = is_large ? budget_.large_work() : budget_.small_work();
  const bool is_mutating = endpoint.webhook.type == WebhookType::kMutating;
  auto turn = co_await memory.reserve(is_large ? memory.all() : small_review_memory(bytes, is_mutating));
  co_await read_and_review(endpoint, request, progress);
}

asio::awaitable<void> AdmissionHandler::read_and_review(Endpoint& endpoint, const net::Request& request,
                                                        Progress& progress) {
  auto& answer = progress.answer;
  ReviewScan scan(request.body);
  auto scanned = co_await in_slices(clock_, scan);
  auto review = scanned ? std::move(scan).take(clock_, endpoint.log) : Result<ParsedReview>(std::move(scanned).error());
  if (!review) {
    auto line = undecodable_lines_.admit(endpoint.log);
    if (line) line->error(review.error(), "unable to decode the request");
    answer.decision = Decision::fail(400, review.error().message());
    co_return;
  }
  answer.api_version = review->api_version;
  answer.uid = review->request.uid;
  answer.name = review->request.key.name;
  progress.operation = review->is_known_operation ? review->operation : "UNKNOWN";
  progress.log = review->request.log;
  review->request.log.debug("received request", {}, kTraffic);
  co_await review_safely(endpoint, *review, answer);
  log_denial(review->request.log, progress.operation, answer.decision);
  review->request.log.debug("wrote response", {{"code", answer.decision.code()}}, kTraffic);
}

asio::awaitable<void> AdmissionHandler::review_safely(Endpoint& endpoint, const ParsedReview& review, Answer& answer) {
  std::string why;
  try {
    if (auto decided = decide_without_author(review, endpoint.webhook)) {
      answer.decision = std::move(*decided);
      co_return;
    }
    auto reviewed = co_await endpoint.webhook.review(review.request);
    answer.patch = std::move(reviewed.patch);
    answer.decision = std::move(reviewed.decision);
    co_return;
  } catch (const std::bad_alloc&) {
    base::assertion_failed("out of memory in a webhook", __FILE__, __LINE__);
  } catch (const std::exception& panic) {
    if (async::is_cancelled(std::current_exception())) throw;
    why = panic.what();
  } catch (...) {
    why = "an exception of an unknown type";
  }
  metrics_.panics.increment();
  review.request.log.error(transport_error(why), "Observed a panic");
  answer.patch.clear();
  answer.decision = Decision::fail(kInternalError, "panic: " + why + " [recovered]");
}

}  // namespace keelson::webhook
