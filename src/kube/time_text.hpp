// Times as metav1.Time writes them: RFC 3339 in UTC, whole seconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/kube/described_type.hpp"

namespace keelson::kube {

// The fraction of a second is cut off, as metav1.Time does.
[[nodiscard]] std::string format_rfc3339(Time time);

// Any offset and fraction; nothing when it is no such text or lies outside the years 1678 to 2261, which nanoseconds
// in 64 bits can tell.
[[nodiscard]] std::optional<Time> parse_rfc3339(std::string_view text);

}  // namespace keelson::kube
