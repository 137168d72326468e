// The connections of an origin: idle ones for reuse, and a limit on concurrent ones.
//
// A request beyond the limit waits in a queue. Streams have a limit of their own: a watch uses its connection for its
// whole life, so many of them would starve all requests. A stream beyond the limit fails immediately, because no
// connection becomes free soon. The pool must outlive its leases.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "src/net/connection.hpp"
#include "src/net/dialer.hpp"

namespace keelson::net {

class ConnectionPool {
 public:
  enum class Use { kRequest, kStream };

  // A connection and its place in the limit. Destroying the lease closes the connection.
  class Lease {
   public:
    Lease(ConnectionPool& pool, Use use, std::uint64_t generation) : pool_(&pool), use_(use), generation_(generation) {}
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    [[nodiscard]] Connection& connection() { return *connection_; }
    // The connection has carried a request before: the peer may be about to close it.
    [[nodiscard]] bool reused() const { return reused_; }
    // Returns the connection to the pool for reuse. The lease is empty afterwards.
    void give_back();

   private:
    friend class ConnectionPool;
    ConnectionPool* pool_;
    Use use_;
    std::uint64_t generation_;
    std::unique_ptr<Connection> connection_;
    bool reused_ = false;
  };

  enum class Choice { kIdleOrNew, kNew };

  ConnectionPool(async::Clock& clock, Dialer& dialer, async::Duration idle_timeout, std::size_t stream_limit)
      : clock_(clock), dialer_(dialer), idle_timeout_(idle_timeout), stream_limit_(stream_limit) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  [[nodiscard]] Task<Lease> acquire(Use use, Choice choice);

  // Closes idle connections now, and connections in use when they are given back.
  void close_idle();

  // Ends the next read of every stream as if the peer had disconnected. Streams that are being opened fail.
  void end_streams();
  // The number of calls of end_streams().
  [[nodiscard]] std::uint64_t stream_ends() const { return stream_ends_; }

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    async::TimePoint since;
  };
  void close_expired();
  [[nodiscard]] std::unique_ptr<Connection> take_idle();
  void put_idle(std::unique_ptr<Connection> connection, std::uint64_t generation);
  [[nodiscard]] Task<void> begin_use(Use use);
  void end_use(Use use, Connection* connection);

  async::Clock& clock_;
  Dialer& dialer_;
  async::Duration idle_timeout_;
  std::size_t stream_limit_;
  std::deque<Idle> idle_;  // the most recently used one is the last
  std::size_t requests_ = 0;
  std::size_t streams_ = 0;
  std::unordered_set<Connection*> streaming_;
  std::uint64_t generation_ = 0;
  std::uint64_t stream_ends_ = 0;
  async::Notify freed_;
};

}  // namespace keelson::net
