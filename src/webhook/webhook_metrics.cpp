#include "src/webhook/webhook_metrics.hpp"

#include "keelson/detail/metrics/names.hpp"
#include "keelson/detail/tls/certificate_metrics.hpp"
#include "keelson/detail/webhook/server.hpp"

namespace keelson::webhook {

namespace {

metrics::Counter& plain_counter(metrics::Registry& registry, const metrics::Series& series) {
  return registry.counter(series.name, series.help, {}).with({});
}

metrics::CounterFamily& requests(metrics::Registry& registry) {
  const auto& series = metrics::kWebhookRequestsTotal;
  return registry.counter(series.name, series.help, {"webhook", "code"});
}

metrics::GaugeFamily& names(metrics::Registry& registry) {
  return registry.gauge("keelson_webhook_info",
                        "1 for each webhook that is served, with its name in the metrics of the API server.",
                        {"webhook", "name"});
}

}  // namespace

EndpointMetrics::EndpointMetrics(metrics::Registry& registry, std::string_view path)
    : latency(registry
                  .histogram(metrics::kWebhookLatencySeconds.name, metrics::kWebhookLatencySeconds.help, {"webhook"},
                             metrics::workqueue_seconds_buckets())
                  .with({path})),
      answered(requests(registry).with({path, "200"})),
      failed(requests(registry).with({path, "500"})),
      in_flight(
          registry.gauge(metrics::kWebhookRequestsInFlight.name, metrics::kWebhookRequestsInFlight.help, {"webhook"})
              .with({path})) {}

WebhookMetrics::WebhookMetrics(metrics::Registry& registry)
    : panics(plain_counter(registry, metrics::kWebhookPanicsTotal)),
      decisions(registry.counter(metrics::kWebhookDecisionsTotal.name, metrics::kWebhookDecisionsTotal.help,
                                 {"webhook", "operation", "allowed", "code"})) {
  plain_counter(registry, metrics::kConversionWebhookPanicsTotal);
}

void register_series(metrics::Registry& registry) {
  const WebhookMetrics webhooks(registry);
  const tls::CertificateMetrics certificates(registry);
  names(registry);
}

void export_names(metrics::Registry& registry, const std::vector<Webhook>& webhooks) {
  for (const auto& webhook : webhooks) names(registry).with({webhook.path(), webhook.name()}).set(1);
}

}  // namespace keelson::webhook
