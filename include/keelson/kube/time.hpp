// Points in time as the API writes them: metav1.Time in whole seconds, metav1.MicroTime (leases) in microseconds.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/described_type.hpp"

namespace keelson::kube {

// "2026-01-02T03:04:05Z"; what is finer is cut off, as in Go.
[[nodiscard]] std::string format_time(DescribedTime time);

// "2026-01-02T03:04:05.000006Z", always six digits.
[[nodiscard]] std::string format_micro_time(DescribedTime time);

// Either, with any offset and fraction. Errors quote the text.
[[nodiscard]] Result<DescribedTime> parse_time(std::string_view text);

}  // namespace keelson::kube
