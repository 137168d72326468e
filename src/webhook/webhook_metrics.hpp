// The series of the webhooks, as controller-runtime names them, and one of our own.
#pragma once

#include <string_view>

#include "keelson/metrics/registry.hpp"

namespace keelson::webhook {

// Those of one path; requests_total has its series from the start.
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
