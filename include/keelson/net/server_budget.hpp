// What all HTTP servers of one process may hold together: connections, their bytes, and memory for handlers' work; and
// how many TLS handshakes they begin in a second.
//
// At the bound of connections or of bytes the peer that has kept its server waiting longest is disconnected, whichever
// server it is connected to: first those from an address that has more than a quarter of the shared connections, then
// those whose request is not complete. For bytes no peer is disconnected that holds less than half of an equal share
// of them (25 KiB). A request whose handler is running is never dropped. Each server has `own_connections` that no
// other server can take; beyond those all servers share. Not copied.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <optional>

#include "keelson/base/limits.hpp"

namespace keelson::net {

class HandshakeGate;
class ServerLedger;

struct ServerLimits {
  std::size_t own_connections = limits::kServerOwnConnections;  // of each server
  std::size_t shared_connections = limits::kServerSharedConnections;
  std::size_t held_bytes = limits::kServerHeldBytes;  // of connections
  std::size_t work_bytes = limits::kServerWorkBytes;  // of handlers
};

// Must outlive the servers that use it and every reservation.
class ServerBudget {
 public:
  explicit ServerBudget(ServerLimits limits);
  ServerBudget() : ServerBudget(ServerLimits()) {}
  ServerBudget(const ServerBudget&) = delete;
  ServerBudget& operator=(const ServerBudget&) = delete;
  ~ServerBudget();

  // Memory for a handler's work, given back when this is destroyed or released.
  class Reservation {
   public:
    Reservation(Reservation&& from) noexcept;
    Reservation& operator=(Reservation&& from) noexcept;
    ~Reservation() { release(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    void release();

   private:
    friend class ServerBudget;
    Reservation(ServerBudget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) {}
    ServerBudget* budget_;
    std::size_t bytes_;
  };

  // Waits for its turn, first come first served, so that a large reservation cannot be starved by small ones.
  // Cancellation passes the turn on. A request for more than the budget reserves all of it.
  [[nodiscard]] boost::asio::awaitable<Reservation> reserve(std::size_t bytes);
  // At once or not at all; not while others wait.
  [[nodiscard]] std::optional<Reservation> try_reserve(std::size_t bytes);

  // Held now: what a test or a metric asks for.
  [[nodiscard]] std::size_t connections() const;
  [[nodiscard]] std::size_t held_bytes() const;
  [[nodiscard]] std::size_t work_bytes() const;

  // Of the servers.
  [[nodiscard]] ServerLedger& ledger() { return *ledger_; }
  [[nodiscard]] HandshakeGate& handshakes() { return *handshakes_; }

 private:
  struct Queue;
  std::unique_ptr<ServerLedger> ledger_;
  std::unique_ptr<HandshakeGate> handshakes_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace keelson::net
