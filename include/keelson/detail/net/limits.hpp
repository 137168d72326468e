// Limits of room `net` that several files use, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// The combinations of origin and TLS settings whose connections a UrlClient retains; of more, the least recently used
// one is dropped. Each takes some idle connections for a few seconds.
inline constexpr std::size_t kUrlClientOrigins = 32;

// The HTTP headers of a message, received or sent. Go's server accepts 1 MiB, but no real proxy sends 64 KiB.
inline constexpr std::size_t kHeaderBytes = std::size_t{64} << 10;

// The buffer in which TLS reads from a socket: four records. It is freed when there is nothing to read.
inline constexpr std::size_t kTlsReadBytes = std::size_t{64} << 10;

// The concurrent requests of a client, without streams.
inline constexpr std::size_t kConnections = 256;

// The bearer token of a request to a protected endpoint. The token of a service account is 1 KiB; the token of an
// identity provider that lists all groups of a user is longer.
inline constexpr std::size_t kBearerTokenBytes = std::size_t{16} << 10;

}  // namespace keelson::limits
