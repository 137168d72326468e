// Answers the requests of the webhook server: the review of each path, the AdmissionReview around it, and the metrics.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/log_limit.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/net/server_budget.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/webhook/review.hpp"
#include "src/webhook/webhook_metrics.hpp"

namespace keelson::webhook {

class AdmissionHandler {
 public:
  // Reviews reserve memory of the budget: a large one reserves all the memory for large work.
  AdmissionHandler(async::Clock& clock, const Logger& log, metrics::Registry& registry, net::ServerBudget& budget,
                   std::vector<ServedWebhook> webhooks);

  // Throws only on cancellation. The handler must outlive the coroutine.
  [[nodiscard]] boost::asio::awaitable<net::ServerReply> serve(net::Request request);

  // The reply to a body that is too large to be read.
  [[nodiscard]] static net::Response too_large();

 private:
  struct Endpoint {
    Endpoint(ServedWebhook served, Logger logger, metrics::Registry& registry)
        : webhook(std::move(served)), log(std::move(logger)), metrics(registry, webhook.path) {}

    ServedWebhook webhook;
    Logger log;
    EndpointMetrics metrics;
  };

  // The progress of a request; it remains valid after the request's timeout.
  struct Progress {
    Answer answer;
    std::string operation;  // for the metric
    std::optional<Logger> log;
  };
  [[nodiscard]] boost::asio::awaitable<std::string> answer(Endpoint& endpoint, const std::string& path,
                                                           net::Request request);
  void log_denial(const Logger& log, const std::string& operation, const Decision& decision);
  [[nodiscard]] boost::asio::awaitable<void> review_in_time(Endpoint& endpoint, const net::Request& request,
                                                            Progress& progress);
  [[nodiscard]] boost::asio::awaitable<void> review_in_turn(Endpoint& endpoint, const net::Request& request,
                                                            Progress& progress);
  [[nodiscard]] boost::asio::awaitable<void> read_and_review(Endpoint& endpoint, const net::Request& request,
                                                             Progress& progress);
  [[nodiscard]] boost::asio::awaitable<void> review_safely(Endpoint& endpoint, const ParsedReview& review,
                                                           Answer& answer);

  async::Clock& clock_;
  Logger log_;
  net::ServerBudget& budget_;
  WebhookMetrics metrics_;
  async::LogLimit undecodable_lines_{clock_};
  async::LogLimit denied_lines_{clock_};
  async::LogLimit timed_out_lines_{clock_};
  std::map<std::string, Endpoint, std::less<>> endpoints_;
};

}  // namespace keelson::webhook
