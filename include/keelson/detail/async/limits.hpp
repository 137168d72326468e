// Limits of room `async`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Decoding yields the loop after this many bytes, so that a long list does not delay a probe.
inline constexpr std::size_t kDecodeSliceBytes = std::size_t{256} << 10;

}  // namespace keelson::limits
