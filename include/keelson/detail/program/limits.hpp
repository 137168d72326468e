// Limits of room `program`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// The file of --config: far more than all flags with long values.
inline constexpr std::size_t kConfigFileBytes = std::size_t{1} << 20;

}  // namespace keelson::limits
