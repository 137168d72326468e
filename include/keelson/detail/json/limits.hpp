// Limits of room `json`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// JSON with deeper nesting is rejected. The limit is far beyond real objects, and far below the depth at which
// RapidJSON's recursion overflows the stack.
inline constexpr std::size_t kJsonDepth = 128;

// An object: etcd rejects requests over 1.5 MiB, and JSON may escape one byte as six.
inline constexpr std::size_t kObjectBytes = std::size_t{12} << 20;

// A line of a watch stream: an event is an object in a small envelope.
inline constexpr std::size_t kWatchLineBytes = kObjectBytes + 4096;

// The envelope of a list: everything except its items.
inline constexpr std::size_t kListEnvelopeBytes = std::size_t{64} << 10;

// Operations of a JSON patch: the API server's limit (maxJSONPatchOperations).
inline constexpr std::size_t kJsonPatchOperations = 10000;

}  // namespace keelson::limits
