// Where the TLS handshakes of all servers of a process wait for their turns, before they have cost anything.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/net/server_budget.hpp"
#include "src/net/handshake_queue.hpp"

namespace keelson::net {

class HandshakeGate {
 public:
  explicit HandshakeGate(Handshakes pace = Handshakes::kPaced) : pace_(pace) {}
  HandshakeGate(const HandshakeGate&) = delete;
  HandshakeGate& operator=(const HandshakeGate&) = delete;

  // Returns when it is the turn of a peer with this address (unpaced: at once); terminal cancellation ends the wait by
  // unwinding. The clock must outlive the wait and is the same for all.
  [[nodiscard]] boost::asio::awaitable<void> enter(async::Clock& clock, HandshakeQueue::Address address);

 private:
  class Place;
  void admit(async::Clock& clock);

  Handshakes pace_;
  HandshakeQueue queue_;
  std::map<HandshakeQueue::Ticket, Place*> places_;
  std::unique_ptr<async::Timer> timer_;  // while anybody waits
};

}  // namespace keelson::net
