// The connections of all servers that share a budget, the bytes that each holds, and the decision which of them are
// evicted when the budget is used up.
//
// It has no I/O and no clock: a connection reports its state to its seat, and the ledger ends it through `evict`.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/net/server_budget.hpp"

namespace keelson::net {

class ServerLedger {
 public:
  // A connection that holds more than this part of all bytes (224 KiB) is large: the buffers of TLS take 80 KiB, and a
  // usual review some more. Large ones together leave this part (1.75 MiB) for small ones: two requests of 7 MB whose
  // handlers run cannot be evicted, and must not block the API server's.
  static constexpr std::size_t kSmallestLargePart = 64;
  static constexpr std::size_t kPartForSmall = 8;

  // The connections of a server.
  struct Account {
    std::size_t connections = 0;
  };

  // A connection, from its acceptance to its end.
  class Seat {
   public:
    // `evict` ends the connection soon, whatever it waits for. All must outlive the seat.
    Seat(ServerLedger& ledger, Account& account, std::function<void()> evict);
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    ~Seat();

    // Sets the client; connections from the same address are counted together. Call it once, before it waits.
    void come_from(const std::string& peer);
    // From now on the server waits for the peer: for a request, or until a reply is received.
    void wait_from(async::TimePoint now) { waits_since_ = now; }
    // A handler runs; the connection cannot be evicted.
    void work() { waits_since_.reset(); }
    // The peer has finished a request, and has not begun another one.
    void prove() { is_proven_ = true; }
    void begin_request(async::TimePoint now);

    // The bytes that the connection holds now, in addition to those of an idle one. If they increase, connections are
    // evicted until the budget suffices, possibly this one. kKeepSelf: only others, because a reply must not end its
    // own connection.
    enum class Who { kAny, kKeepSelf };
    void hold(std::size_t bytes, Who may_go = Who::kAny);

    void evict();

   private:
    friend class ServerLedger;
    ServerLedger& ledger_;
    Account& account_;
    std::function<void()> evict_;
    std::list<Seat*>::iterator place_;
    std::string peer_;
    std::optional<async::TimePoint> waits_since_;
    std::size_t held_bytes_ = 0;
    bool is_proven_ = false;
  };

  explicit ServerLedger(const ServerLimits& limits) : limits_(limits) {}

  // True if this server cannot have another connection now.
  [[nodiscard]] bool is_full(const Account& account) const;
  // Evicts one connection whose end makes room for this server, if there is one that waits for its peer.
  void evict_for(const Account& account);
  // Notified when a connection has ended, or waits for its peer.
  [[nodiscard]] async::Notify& changed() { return changed_; }

  [[nodiscard]] std::size_t connections() const { return seats_.size(); }
  [[nodiscard]] std::size_t held_bytes() const { return held_bytes_; }

 private:
  [[nodiscard]] Seat* longest_waiting(const std::function<bool(const Seat&)>& may_go) const;
  [[nodiscard]] bool is_of_crowd(const Seat& seat) const;
  [[nodiscard]] bool is_large(std::size_t bytes) const { return bytes > limits_.held_bytes / kSmallestLargePart; }
  [[nodiscard]] std::size_t room_of_large() const { return limits_.held_bytes - limits_.held_bytes / kPartForSmall; }
  void count(Seat& seat, std::size_t bytes);
  void relieve(const Seat* kept);

  ServerLimits limits_;
  std::list<Seat*> seats_;
  base::TextMap<std::string, std::size_t> seats_of_;  // by peer
  std::size_t shared_in_use_ = 0;
  std::size_t held_bytes_ = 0;        // by all
  std::size_t large_held_bytes_ = 0;  // by the large ones among them
  async::Notify changed_;
};

}  // namespace keelson::net
