#include "keelson/tls/certificate_metrics.hpp"

#include "keelson/metrics/names.hpp"

namespace keelson::tls {

namespace {

metrics::Counter& counter(metrics::Registry& registry, const metrics::Series& series) {
  return registry.counter(series.name, series.help, {}).with({});
}

}  // namespace

CertificateMetrics::CertificateMetrics(metrics::Registry& registry)
    : reads(counter(registry, metrics::kCertificateReadsTotal)),
      errors(counter(registry, metrics::kCertificateReadErrorsTotal)) {}

}  // namespace keelson::tls
