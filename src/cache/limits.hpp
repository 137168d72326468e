// Limits of room `cache`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Uids of objects that this process deleted and whose DELETED event has not arrived yet.
inline constexpr std::size_t kOwnDeletions = 1024;

}  // namespace keelson::limits
