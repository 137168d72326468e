// Limits of room `cache`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Uids of objects that this process deleted and whose DELETED event has not arrived yet.
inline constexpr std::size_t kOwnDeletions = 1024;

// Owners by which owned_by() finds an object: its controller and the first others. Controllers set one owner, and a few
// tools one more. An author of objects in one namespace can list 12,000 in an object of 1.5 MB, each an entry of an
// index.
inline constexpr std::size_t kIndexedOwners = 64;

}  // namespace keelson::limits
