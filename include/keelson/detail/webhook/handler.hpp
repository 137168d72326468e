// The webhook server without its socket, for API servers that run in the same process (room `sandbox`).
#pragma once

#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/net/server_budget.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::webhook {

// Answers AdmissionReviews: each path has its webhook, other paths are answered with 404. The time limit is the query
// parameter `timeout` of the request, 10 s without it and 30 s at most. Invalid reviews are denials with a code in the
// review (400, 413), not HTTP errors. Throws only on cancellation. `budget` limits the memory of reviews: large ones
// are processed one at a time. References must outlive the handler, and the handler its calls. Two webhooks with the
// same path are asserted against; check_webhooks() reports them to authors.
[[nodiscard]] net::Handler make_handler(async::Clock& clock, const Logger& log, metrics::Registry& registry,
                                        net::ServerBudget& budget, std::vector<ServedWebhook> webhooks);

}  // namespace keelson::webhook
