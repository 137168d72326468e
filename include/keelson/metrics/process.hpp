// The nine process_* series of Prometheus' process collector, read from /proc/self at every scrape.
//
// What cannot be read keeps its last value: a scrape never fails because of it.
#pragma once

#include <string>

#include "keelson/metrics/registry.hpp"

namespace keelson::metrics {

class ProcessMetrics {
 public:
  // `proc` is the process's folder, another one in tests. The registry must outlive this.
  explicit ProcessMetrics(Registry& registry, std::string proc = "/proc/self");
  ProcessMetrics(const ProcessMetrics&) = delete;
  ProcessMetrics& operator=(const ProcessMetrics&) = delete;

 private:
  void refresh();

  std::string proc_;
  Counter& cpu_seconds_;
  Gauge& open_fds_;
  Gauge& max_fds_;
  Gauge& virtual_memory_;
  Gauge& virtual_memory_max_;
  Gauge& resident_memory_;
  Gauge& start_time_;
  Counter& network_receive_;
  Counter& network_transmit_;
  ScrapeHook hook_;
};

}  // namespace keelson::metrics
