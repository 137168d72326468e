// Numbers, durations and quoted strings exactly as Go reads and writes them: what users of kubebuilder see and type.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::base {

// strconv.FormatFloat(value, 'g', -1, 64), and "+Inf", "-Inf", "NaN": 0.005, 262144, 1.048576e+06.
[[nodiscard]] std::string format_go_number(double value);

// time.Duration.String(): 0s, 1.5ms, 10h0m0s.
[[nodiscard]] std::string format_go_duration(std::chrono::nanoseconds duration);

// time.ParseDuration: "1h15m30.918s", "-1.5h", "3µs", "0". Errors are Go's: time: missing unit in duration "3".
[[nodiscard]] Result<std::chrono::nanoseconds> parse_go_duration(std::string_view text);

// strconv.Quote, which is fmt's %q.
[[nodiscard]] std::string quote_go(std::string_view text);

}  // namespace keelson::base
