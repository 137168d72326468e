// Numbers, durations and quoted strings exactly as Go parses and formats them, because flags, logs, metrics and
// messages equal those of kubebuilder's programs.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::base {

// strconv.FormatFloat(value, 'g', -1, 64): 0.005, 262144, 1.048576e+06, "+Inf", "-Inf", "NaN".
[[nodiscard]] std::string format_go_number(double value);

// strconv.FormatFloat(value, 'f', -1, 64): 1000000, 0.000001. `value` must be finite.
[[nodiscard]] std::string format_go_fixed(double value);

// strconv.FormatFloat(value, 'e', -1, 64): 1e+06, 1.5e-07. `value` must be finite.
[[nodiscard]] std::string format_go_exponent(double value);

// time.Duration.String(): 0s, 1.5ms, 10h0m0s.
[[nodiscard]] std::string format_go_duration(std::chrono::nanoseconds duration);

// time.ParseDuration: "1h15m30.918s", "-1.5h", "3µs", "0". Errors are Go's: time: missing unit in duration "3".
[[nodiscard]] Result<std::chrono::nanoseconds> parse_go_duration(std::string_view text);

// strconv.Quote, which is fmt's %q. Bytes that are not UTF-8 become \xNN.
[[nodiscard]] std::string quote_go(std::string_view text);

}  // namespace keelson::base
