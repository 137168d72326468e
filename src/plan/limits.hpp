// Limits of room `plan`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// The JSON of all objects that a plan copies. The copy takes about three times as much memory.
inline constexpr std::size_t kPlanBytes = std::size_t{512} << 20;

// Writes of a plan: a controller that writes more in the few minutes of a plan never settles.
inline constexpr std::size_t kPlanWrites = 100'000;

}  // namespace keelson::limits
