// Limits of room `metrics`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Children of a metric family: a label with unbounded values must not exhaust the memory of the process.
inline constexpr std::size_t kLabelSetsPerFamily = 1000;

}  // namespace keelson::limits
