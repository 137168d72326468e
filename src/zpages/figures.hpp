// Numbers as people read them: "1.2 MiB", "3m 20s ago", "85 ms".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"

namespace keelson::zpages {

// With three digits: 0.25, 3.14, 42.1, 1234.
[[nodiscard]] std::string decimal(double value);
[[nodiscard]] std::string bytes_text(double bytes);             // "85 B", "1.25 MiB"
[[nodiscard]] std::string short_time(double seconds);           // "850 µs", "12.5 ms", "3.2 s"
[[nodiscard]] std::string span_text(async::Duration duration);  // "12 s", "3 min 20 s", "5 h 2 min", "3 d 4 h"
[[nodiscard]] std::string time_text(async::WallTime time);      // RFC 3339, in UTC
[[nodiscard]] double seconds_of(async::Duration duration);

// The value below which `share` of all values are, interpolated as Prometheus does, from cumulative counts by upper
// bound; 0 without values.
[[nodiscard]] double quantile(const std::vector<std::pair<double, std::uint64_t>>& counts, double share);

}  // namespace keelson::zpages
