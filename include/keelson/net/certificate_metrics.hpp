// The series about certificates that servers are given, as controller-runtime's certwatcher names them.
#pragma once

#include "keelson/metrics/registry.hpp"

namespace keelson::net {

// One pair of series for all servers of the process; both stand at 0 from the start.
struct CertificateMetrics {
  explicit CertificateMetrics(metrics::Registry& registry);

  metrics::Counter& reads;
  metrics::Counter& errors;
};

}  // namespace keelson::net
