// Limits of room `net`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// The combinations of origin and TLS settings whose connections a UrlClient retains; of more, the least recently used
// one is dropped. Each takes up to kIdleConnections connections for a few seconds.
inline constexpr std::size_t kUrlClientOrigins = 32;

// The HTTP headers of a message, received or sent. Go's server accepts 1 MiB, but no real proxy sends 64 KiB.
inline constexpr std::size_t kHeaderBytes = std::size_t{64} << 10;

// The buffer in which TLS reads from a socket: four records. It is freed when there is nothing to read.
inline constexpr std::size_t kTlsReadBytes = std::size_t{64} << 10;

// Idle connections that a client retains for reuse (client-go: MaxIdleConnsPerHost 25), and its concurrent requests
// without streams.
inline constexpr std::size_t kIdleConnections = 25;
inline constexpr std::size_t kConnections = 256;

// Concurrent streams, each with a connection of its own: a watch for each kind and namespace. Further ones fail
// immediately.
inline constexpr std::size_t kStreams = 4096;

// Requests that wait for a connection; further ones fail immediately.
inline constexpr std::size_t kWaitingRequests = 4096;

// The budget that all HTTP servers of a process share (net/server_budget.hpp): 87 MiB of the deployed limit of 128 MiB.
// The rest is for the program (15 MiB), the caches of a small cluster, and fragmentation.
//
// Connections: each server reserves some, so that an attack on one never blocks the probes, scrapes or reviews of the
// others; the rest is shared. There are three, and a fourth with --pprof-bind-address. An idle TLS connection takes 24
// KiB (measured with mallinfo2 on 200 connections: OpenSSL's state 14 KiB, the rest socket, session and coroutine
// frames), so 384 connections take 9 MiB.
inline constexpr std::size_t kServerOwnConnections = 32;
inline constexpr std::size_t kServerSharedConnections = 288;

// Further memory of connections: handshakes, incomplete headers and bodies, requests in progress, and replies that are
// not sent yet. Enough for four of the largest objects that etcd stores, each in its old and its new form.
inline constexpr std::size_t kServerHeldBytes = std::size_t{14} << 20;

// The reservation of a large admission review (webhook::kLargeReviewBytes). The most expensive one allocates two
// described specs of webhook::kSpecMemoryBytes, and unused capacity of their growing lists. Only one is processed at a
// time.
inline constexpr std::size_t kServerLargeWorkBytes = std::size_t{48} << 20;

// The reservation of all small reviews together (webhook::small_review_memory): about ten concurrent reviews of 4 KiB
// by a defaulter, or thirty by a validator.
inline constexpr std::size_t kServerSmallWorkBytes = std::size_t{16} << 20;

// The bearer token of a request to a protected endpoint. The token of a service account is 1 KiB; the token of an
// identity provider that lists all groups of a user is longer.
inline constexpr std::size_t kBearerTokenBytes = std::size_t{16} << 10;

}  // namespace keelson::limits
