// Limits of room `controllers/cronjob`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Jobs that a CronJob's status lists as active; it counts all of them.
inline constexpr std::size_t kActiveReferences = 1000;

}  // namespace keelson::limits
