// Collected metrics in Prometheus text format 0.0.4, byte for byte as Go's expfmt writes them.
#pragma once

#include <prometheus/metric_family.h>

#include <string>

namespace keelson::metrics {

// Appends a family with its children in the order of their label values.
void append_family_text(std::string& out, prometheus::MetricFamily family);

}  // namespace keelson::metrics
