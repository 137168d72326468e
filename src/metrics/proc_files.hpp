// Parsers of files in /proc for the process metrics, as pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace keelson::metrics {

// /proc/<pid>/stat. Ticks are hundredths of a second on every Linux (USER_HZ).
struct ProcStat {
  double cpu_seconds = 0;
  double start_seconds_after_boot = 0;
  double virtual_bytes = 0;
  double resident_pages = 0;
};
[[nodiscard]] std::optional<ProcStat> parse_proc_stat(std::string_view text);

// The soft limit of a line of /proc/<pid>/limits ("Max open files"); "unlimited" is 2^64 - 1, as in Go.
[[nodiscard]] std::optional<double> parse_soft_limit(std::string_view text, std::string_view name);

// A column of /proc/<pid>/net/netstat: the first line "IpExt:" has the names, the second one the values.
[[nodiscard]] std::optional<double> parse_ip_ext(std::string_view text, std::string_view column);

// "btime" of /proc/stat: the boot time of the machine in seconds since 1970.
[[nodiscard]] std::optional<double> parse_boot_time(std::string_view text);

// memory.max of a cgroup: bytes, or "max" without a limit.
[[nodiscard]] std::optional<double> parse_memory_limit(std::string_view text);

}  // namespace keelson::metrics
