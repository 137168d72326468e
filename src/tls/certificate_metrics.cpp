#include "keelson/detail/tls/certificate_metrics.hpp"

#include "keelson/detail/metrics/names.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"

namespace keelson::tls {

namespace {

metrics::Counter& counter(metrics::Registry& registry, const metrics::Series& series) {
  return registry.counter(series.name, series.help, {}).with({});
}

}  // namespace

CertificateMetrics::CertificateMetrics(metrics::Registry& registry)
    : reads(counter(registry, metrics::kCertificateReadsTotal)),
      errors(counter(registry, metrics::kCertificateReadErrorsTotal)) {
  CertificateExpiry::register_series(registry);
}

}  // namespace keelson::tls
