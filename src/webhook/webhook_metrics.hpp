// The metric series of the webhooks: those of controller-runtime, and one of Keelson.
#pragma once

#include <string_view>

#include "keelson/metrics/registry.hpp"

namespace keelson::webhook {

// The series of a path; those of requests_total exist from the start.
struct EndpointMetrics {
  EndpointMetrics(metrics::Registry& registry, std::string_view path);

  metrics::Histogram& latency;
  metrics::Counter& answered;  // HTTP 200
  metrics::Counter& failed;    // HTTP 500
  metrics::Gauge& in_flight;
};

struct WebhookMetrics {
  explicit WebhookMetrics(metrics::Registry& registry);

  metrics::Counter& panics;
  metrics::CounterFamily& decisions;
};

}  // namespace keelson::webhook
