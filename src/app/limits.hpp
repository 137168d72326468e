// Limits of the commands of `manager`, each with the reason for its number.
#pragma once

#include <cstdint>

namespace keelson::limits {

// Runs that `manager schedule` prints: a year of minutes is half of it.
inline constexpr std::uint64_t kScheduleRuns = 1'000'000;

}  // namespace keelson::limits
