// The unified diff of two texts, with the choices of Python's difflib, of which the API server uses a port to Go.
#pragma once

#include <string>
#include <string_view>

namespace keelson::sandbox {

// With three lines of context and without a header. Empty if the texts are equal, or if their comparison would take
// more than kMostDiffSteps steps.
[[nodiscard]] std::string unified_diff(std::string_view before, std::string_view after);

// About a tenth of a second. The lines of an object of Kubernetes are long before their comparison takes that many.
inline constexpr std::size_t kMostDiffSteps = 5'000'000;

}  // namespace keelson::sandbox
