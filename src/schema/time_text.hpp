// Times as metav1.Time writes them: RFC 3339 in UTC, whole seconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::kube {

// Truncates the fraction of a second, as metav1.Time does.
[[nodiscard]] std::string format_rfc3339(Time time);

// Accepts any offset and fraction; nullopt for other texts and outside of the years 1678 to 2261, which 64 bits of
// nanoseconds can represent.
[[nodiscard]] std::optional<Time> parse_rfc3339(std::string_view text);

}  // namespace keelson::kube
