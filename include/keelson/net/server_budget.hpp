// What all HTTP servers of one process may hold together: connections, their bytes, and memory for handlers' work; and
// how many TLS handshakes they begin in a second.
//
// At the bound of connections or of bytes the peer that has kept its server waiting longest is disconnected, whichever
// server it is connected to: first those from an address that has more than a quarter of the shared connections, then
// those whose request is not complete. For bytes no peer is disconnected that holds less than half of an equal share
// of them (25 KiB), and connections that hold more than 224 KiB leave an eighth of all bytes (1.75 MiB) to the others.
// A request whose handler is running is never dropped. Each server has `own_connections` that no
// other server can take; beyond those all servers share. Not copied.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>

#include "keelson/base/limits.hpp"
#include "keelson/net/work_memory.hpp"

namespace keelson::net {

class HandshakeGate;
class ServerLedger;

// kPaced: limited per second, and more so for each client address, so that a flood takes little of a small CPU share.
// kUnpaced is for a server whose clients are trusted and open a connection for each of many watches at once.
enum class Handshakes { kPaced, kUnpaced };

struct ServerLimits {
  std::size_t own_connections = limits::kServerOwnConnections;  // of each server
  std::size_t shared_connections = limits::kServerSharedConnections;
  std::size_t held_bytes = limits::kServerHeldBytes;             // of connections
  std::size_t large_work_bytes = limits::kServerLargeWorkBytes;  // of handlers
  std::size_t small_work_bytes = limits::kServerSmallWorkBytes;
  Handshakes handshakes = Handshakes::kPaced;
};

// Must outlive the servers that use it and every reservation.
class ServerBudget {
 public:
  explicit ServerBudget(ServerLimits limits);
  ServerBudget() : ServerBudget(ServerLimits()) {}
  ServerBudget(const ServerBudget&) = delete;
  ServerBudget& operator=(const ServerBudget&) = delete;
  ~ServerBudget();

  // Memory for the work of handlers. Large tasks take all of theirs, so that one runs at a time; small ones have their
  // own, so that they never wait for a large one.
  [[nodiscard]] WorkMemory& large_work() { return large_work_; }
  [[nodiscard]] WorkMemory& small_work() { return small_work_; }

  // Held now: what a test or a metric asks for.
  [[nodiscard]] std::size_t connections() const;
  [[nodiscard]] std::size_t held_bytes() const;

  // Of the servers.
  [[nodiscard]] ServerLedger& ledger() { return *ledger_; }
  [[nodiscard]] HandshakeGate& handshakes() { return *handshakes_; }

 private:
  std::unique_ptr<ServerLedger> ledger_;
  std::unique_ptr<HandshakeGate> handshakes_;
  WorkMemory large_work_;
  WorkMemory small_work_;
};

}  // namespace keelson::net
