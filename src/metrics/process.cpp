#include "keelson/detail/metrics/process.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "keelson/detail/base/limits.hpp"
#include "src/metrics/proc_files.hpp"

namespace keelson::metrics {

namespace {

// The content of the file; empty if it cannot be read.
std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char buffer[4096];
  while (file && text.size() < limits::kLocalFileBytes) {
    file.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(file.gcount()));
  }
  return text;
}

double page_bytes() { return static_cast<double>(sysconf(_SC_PAGESIZE)); }

void set_if_known(Gauge& gauge, std::optional<double> value) {
  if (value) gauge.set(*value);
}

void advance_if_known(Counter& counter, std::optional<double> total) {
  if (total) counter.advance_to(*total);
}

std::optional<double> count_entries(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  double count = 0;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) ++count;
  if (error) return std::nullopt;
  return count;
}

}  // namespace

ProcessMetrics::ProcessMetrics(Registry& registry, std::string proc, std::string cgroup)
    : proc_(std::move(proc)),
      cgroup_(std::move(cgroup)),
      cpu_seconds_(registry.counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", {})
                       .with({})),
      open_fds_(registry.gauge("process_open_fds", "Number of open file descriptors.", {}).with({})),
      max_fds_(registry.gauge("process_max_fds", "Maximum number of open file descriptors.", {}).with({})),
      virtual_memory_(registry.gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.", {}).with({})),
      virtual_memory_max_(
          registry.gauge("process_virtual_memory_max_bytes", "Maximum amount of virtual memory available in bytes.", {})
              .with({})),
      resident_memory_(registry.gauge("process_resident_memory_bytes", "Resident memory size in bytes.", {}).with({})),
      start_time_(
          registry.gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", {})
              .with({})),
      network_receive_(registry
                           .counter("process_network_receive_bytes_total",
                                    "Number of bytes received by the process over the network.", {})
                           .with({})),
      network_transmit_(registry
                            .counter("process_network_transmit_bytes_total",
                                     "Number of bytes sent by the process over the network.", {})
                            .with({})),
      memory_limit_(
          registry.gauge("keelson_memory_limit_bytes", "Memory limit of the container; absent if there is none.", {})),
      hook_(registry.on_scrape([this] { refresh(); })) {
  // Read once, because it never changes and /proc/stat is long on large machines. ".." of the link /proc/self is /proc.
  auto boot = parse_boot_time(read_file(proc_ + "/../stat"));
  auto stat = parse_proc_stat(read_file(proc_ + "/stat"));
  if (boot && stat) start_time_.set(*boot + stat->start_seconds_after_boot);
}

void ProcessMetrics::refresh() {
  if (auto stat = parse_proc_stat(read_file(proc_ + "/stat"))) {
    cpu_seconds_.advance_to(stat->cpu_seconds);
    virtual_memory_.set(stat->virtual_bytes);
    resident_memory_.set(stat->resident_pages * page_bytes());
  }
  auto soft_limits = read_file(proc_ + "/limits");
  set_if_known(max_fds_, parse_soft_limit(soft_limits, "Max open files "));
  set_if_known(virtual_memory_max_, parse_soft_limit(soft_limits, "Max address space "));
  set_if_known(open_fds_, count_entries(proc_ + "/fd"));
  auto netstat = read_file(proc_ + "/net/netstat");
  advance_if_known(network_receive_, parse_ip_ext(netstat, "InOctets"));
  advance_if_known(network_transmit_, parse_ip_ext(netstat, "OutOctets"));
  const auto memory_limit = parse_memory_limit(read_file(cgroup_ + "/memory.max"));
  if (memory_limit) memory_limit_.with({}).set(*memory_limit);
}

std::uint64_t resident_bytes(const std::string& proc) {
  const auto stat = parse_proc_stat(read_file(proc + "/stat"));
  return stat ? static_cast<std::uint64_t>(stat->resident_pages * page_bytes()) : 0;
}

}  // namespace keelson::metrics
