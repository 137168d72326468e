// Decisions about a review that do not need the author's webhook: pure functions of the request.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/net/http.hpp"
#include "src/webhook/review.hpp"

namespace keelson::limits {

// The duration of an admission review: the largest timeoutSeconds of a webhook that the API server accepts.
inline constexpr std::chrono::seconds kAdmissionTime{30};

}  // namespace keelson::limits

namespace keelson::webhook {

// The denial of an HTTP request that cannot be a review, with controller-runtime's text; empty: it can be one.
[[nodiscard]] std::optional<Decision> reject_http(const net::Request& request);

[[nodiscard]] Decision too_large_decision();

// The decision about a request that must not reach the webhook, because its operation is unknown or its object is not
// of the webhook's kind; empty: call the webhook.
[[nodiscard]] std::optional<Decision> decide_without_author(const ParsedReview& review, const ServedWebhook& webhook);

// The time for which the API server waits: "?timeout=10s" of its request, at most limits::kAdmissionTime.
[[nodiscard]] std::chrono::nanoseconds time_for(std::string_view target);

}  // namespace keelson::webhook
