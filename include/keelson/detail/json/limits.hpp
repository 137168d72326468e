// Limits of room `json` that several files use, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// JSON with deeper nesting is rejected. The limit is far beyond real objects, and far below the depth at which
// RapidJSON's recursion overflows the stack.
inline constexpr std::size_t kJsonDepth = 128;

// An object: etcd rejects requests over 1.5 MiB, and JSON may escape one byte as six.
inline constexpr std::size_t kObjectBytes = std::size_t{12} << 20;

}  // namespace keelson::limits
