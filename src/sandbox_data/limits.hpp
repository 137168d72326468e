// Limits of room `sandbox_data`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// keelson-sandbox --data: pages of 4 KiB that the WAL collects before they are copied to the file, which happens on the
// loop, and the size to which the WAL is truncated after a large transaction.
inline constexpr std::size_t kSandboxWalPages = 1000;
inline constexpr std::size_t kSandboxWalBytes = std::size_t{8} << 20;

}  // namespace keelson::limits
