// ProcessMetrics: the nine process_* series of Prometheus' process collector, read from /proc/self at each scrape, and
// keelson_memory_limit_bytes, the memory limit of the container, from its cgroup (version 2).
//
// CPU seconds, open and maximal file descriptors, virtual and resident memory in bytes, the start time in seconds since
// 1970, and network bytes. A series that cannot be read retains its last value (0 at first), so that a scrape never
// fails. The names and help texts are those of Go's client.
#pragma once

#include <cstdint>
#include <string>

#include "keelson/metrics/registry.hpp"

namespace keelson::metrics {

// Exports the series for as long as it exists; `main` owns one.
class ProcessMetrics {
 public:
  // `registry` must outlive it. `proc` is the folder of the process in /proc, `cgroup` that of its container; tests
  // pass others.
  explicit ProcessMetrics(Registry& registry, std::string proc = "/proc/self", std::string cgroup = "/sys/fs/cgroup");
  ProcessMetrics(const ProcessMetrics&) = delete;
  ProcessMetrics& operator=(const ProcessMetrics&) = delete;

 private:
  // Runs before each scrape.
  void refresh();

  std::string proc_;
  std::string cgroup_;
  Counter& cpu_seconds_;  // of all threads, in user and kernel mode
  Gauge& open_fds_;
  Gauge& max_fds_;
  Gauge& virtual_memory_;
  Gauge& virtual_memory_max_;  // the soft limit; 2^64-1 if there is none
  Gauge& resident_memory_;
  Gauge& start_time_;
  Counter& network_receive_;
  Counter& network_transmit_;
  GaugeFamily& memory_limit_;  // without a value if there is no limit
  ScrapeHook hook_;            // the last member: it ends first
};

// The resident memory of the process, read now; 0 if it cannot be read.
[[nodiscard]] std::uint64_t resident_bytes(const std::string& proc = "/proc/self");

}  // namespace keelson::metrics
