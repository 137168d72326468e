// The limits that all HTTP servers of a process share: connections, their memory, memory for handlers, and the rate of
// TLS handshakes. They protect a small pod (128 MiB, half a CPU) from a flood of clients.
//
// When the connections or their bytes are used up, a client is disconnected, on any server: first one from an address
// with more than a quarter of the shared connections, then one whose request is not complete, and among equals the one
// that has kept its server waiting longest. A request whose handler is running is never dropped.
// - Connections: each server has `own_connections` that no other server can use; beyond those all servers share.
// - Bytes: a client that holds less than half of its equal share (25 KiB) is never disconnected for them. Connections
//   with more than 224 KiB leave an eighth of all bytes (1.75 MiB) to the others, so that probes always succeed.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>

#include "keelson/detail/net/work_memory.hpp"

namespace keelson::limits {

// All limits together are 87 MiB of the deployed limit of 128 MiB. The rest is for the program (15 MiB), the caches of
// a small cluster, and fragmentation.
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

}  // namespace keelson::limits

namespace keelson::net {

class HandshakeGate;
class ServerLedger;

// kPaced: the rate of TLS handshakes is limited, and the rate of each client address further, so that a flood uses
// little of a small CPU share. kUnpaced is for servers whose clients are trusted and open many watches at the same
// time, each with a connection.
enum class Handshakes { kPaced, kUnpaced };

struct ServerLimits {
  std::size_t own_connections = limits::kServerOwnConnections;        // of each server
  std::size_t shared_connections = limits::kServerSharedConnections;  // of all servers, in addition
  std::size_t held_bytes = limits::kServerHeldBytes;                  // buffers of all connections
  std::size_t large_work_bytes = limits::kServerLargeWorkBytes;       // of handlers with large requests
  std::size_t small_work_bytes = limits::kServerSmallWorkBytes;       // of the other handlers
  Handshakes handshakes = Handshakes::kPaced;
};

// A process has a single budget, which it passes to each server as HttpServerOptions::budget. It must outlive these
// servers and every reservation of its memory.
class ServerBudget {
 public:
  explicit ServerBudget(ServerLimits limits);
  ServerBudget() : ServerBudget(ServerLimits()) {}
  ServerBudget(const ServerBudget&) = delete;
  ServerBudget& operator=(const ServerBudget&) = delete;
  ~ServerBudget();

  // Memory that handlers reserve before they allocate. A large task reserves all of large_work(), so that a single one
  // runs at a time; small tasks have memory of their own, so that they never wait for a large one.
  [[nodiscard]] WorkMemory& large_work() { return large_work_; }
  [[nodiscard]] WorkMemory& small_work() { return small_work_; }

  // The current use, for tests and metrics.
  [[nodiscard]] std::size_t connections() const;
  [[nodiscard]] std::size_t held_bytes() const;

  // For the servers, which are the only callers.
  [[nodiscard]] ServerLedger& ledger() { return *ledger_; }
  [[nodiscard]] HandshakeGate& handshakes() { return *handshakes_; }

 private:
  std::unique_ptr<ServerLedger> ledger_;
  std::unique_ptr<HandshakeGate> handshakes_;
  WorkMemory large_work_;
  WorkMemory small_work_;
};

}  // namespace keelson::net
