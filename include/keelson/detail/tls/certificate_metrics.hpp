// The metrics of certificates that servers read from files, with the names of controller-runtime's certwatcher.
#pragma once

#include "keelson/metrics/registry.hpp"

namespace keelson::tls {

// All servers of the process share both counters. Constructing this exports them with the value 0, so that an alert on
// their rate works before the first read. The registry must outlive it.
struct CertificateMetrics {
  explicit CertificateMetrics(metrics::Registry& registry);

  metrics::Counter& reads;   // certwatcher_read_certificate_total: each time the files were read
  metrics::Counter& errors;  // certwatcher_read_certificate_errors_total: those that gave no usable certificate
};

}  // namespace keelson::tls
