// Limits of room `controllers/hikawa`, each with the reason for its number.
#pragma once

#include <cstdint>

namespace keelson::limits {

// Zundokos of a Hikawa. Each ends the sequence with a probability of 1/64, so only a bug reaches 10,000.
inline constexpr std::int64_t kZundokos = 10'000;

}  // namespace keelson::limits
