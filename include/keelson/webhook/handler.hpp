// What the webhook server answers, without its socket: for API servers that run in the same process.
#pragma once

#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/http_server.hpp"
#include "keelson/net/server_budget.hpp"
#include "keelson/webhook/webhook.hpp"

namespace keelson::webhook {

// Answers each AdmissionReview within the time that the request's query grants (10 s without one); throws only on
// cancellation. `budget` limits the memory of reviews. References must outlive the handler, and the handler its calls;
// two webhooks of one path are our own mistake (asserted).
[[nodiscard]] net::Handler make_handler(async::Clock& clock, const Logger& log, metrics::Registry& registry,
                                        net::ServerBudget& budget, std::vector<ServedWebhook> webhooks);

}  // namespace keelson::webhook
