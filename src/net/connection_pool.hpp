// The connections of one origin: idle ones kept for the next request, a limit on how many there are at once.
//
// Whoever wants one beyond the limit waits in line. Must outlive its leases.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/async/notify.hpp"
#include "keelson/base/result.hpp"
#include "src/net/connection.hpp"
#include "src/net/dialer.hpp"

namespace keelson::net {

class ConnectionPool {
 public:
  // The right to one connection, and the connection. Destroying it closes the connection.
  class Lease {
   public:
    Lease(ConnectionPool& pool, std::uint64_t generation) : pool_(&pool), generation_(generation) {}
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    [[nodiscard]] Connection& connection() { return *connection_; }
    // The connection has carried a request before: the peer may be about to close it.
    [[nodiscard]] bool reused() const { return reused_; }
    // Gives the connection back to be used again. The lease is empty afterwards.
    void give_back();

   private:
    friend class ConnectionPool;
    ConnectionPool* pool_;
    std::uint64_t generation_;
    std::unique_ptr<Connection> connection_;
    bool reused_ = false;
  };

  enum class Choice { kIdleOrNew, kNew };

  ConnectionPool(async::Clock& clock, Dialer& dialer, async::Duration idle_timeout)
      : clock_(clock), dialer_(dialer), idle_timeout_(idle_timeout) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  [[nodiscard]] boost::asio::awaitable<Result<Lease>> acquire(Choice choice);

  // Closes what is idle; what is in use is closed when it is given back.
  void close_idle();

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    async::TimePoint since;
  };
  void close_expired();
  [[nodiscard]] std::unique_ptr<Connection> take_idle();
  void put_idle(std::unique_ptr<Connection> connection, std::uint64_t generation);
  void end_use();

  async::Clock& clock_;
  Dialer& dialer_;
  async::Duration idle_timeout_;
  std::deque<Idle> idle_;  // the one used last stands last
  std::size_t in_use_ = 0;
  std::uint64_t generation_ = 0;
  async::Notify freed_;
};

}  // namespace keelson::net
