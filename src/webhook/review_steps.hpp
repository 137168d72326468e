// What can be decided about a review without asking its author: pure functions of the request.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "keelson/net/http.hpp"
#include "keelson/webhook/webhook.hpp"
#include "src/webhook/review.hpp"

namespace keelson::webhook {

// Why the HTTP request cannot be a review, in controller-runtime's words; nothing: it can.
[[nodiscard]] std::optional<Decision> refuse_http(const net::Request& request);

[[nodiscard]] Decision too_large_decision();

// The decision where the author has no say: nothing else than objects of its kind and known operations reaches a
// webhook; nothing: ask.
[[nodiscard]] std::optional<Decision> decide_without_author(const ParsedReview& review, const ServedWebhook& webhook);

// How long the API server waits: "?timeout=10s" of its request, at most limits::kAdmissionTime.
[[nodiscard]] std::chrono::nanoseconds time_for(std::string_view target);

}  // namespace keelson::webhook
