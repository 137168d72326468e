// What the webhook server answers, without its socket: for API servers that run in the same process.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/http.hpp"
#include "keelson/net/server_budget.hpp"
#include "keelson/webhook/kind_webhooks.hpp"

namespace keelson::webhook {

class Handler {
 public:
  virtual ~Handler() = default;
  // The response to one AdmissionReview, within the time that the request's query grants (10 s without one). Throws
  // only on cancellation. The handler must outlive the call.
  [[nodiscard]] virtual boost::asio::awaitable<net::Response> serve(net::Request request) = 0;
};

// `budget` limits the memory of reviews. References must outlive the handler; two webhooks of one path are our own
// mistake (asserted).
[[nodiscard]] std::unique_ptr<Handler> make_handler(async::Clock& clock, const Logger& log, metrics::Registry& registry,
                                                    net::ServerBudget& budget, std::vector<KindWebhooks> kinds);

}  // namespace keelson::webhook
