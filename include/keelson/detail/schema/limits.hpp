// Limits of room `schema`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Reported field errors of an object: users fix the first few, and a list with a million bad entries must not cause a
// million texts.
inline constexpr std::size_t kFieldErrors = 100;

}  // namespace keelson::limits
