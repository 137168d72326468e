// The queue of TLS handshakes of all servers of a process. They wait for their turns before they use any CPU.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/detail/net/server_budget.hpp"
#include "src/net/handshake_queue.hpp"

namespace keelson::net {

class HandshakeGate {
 public:
  explicit HandshakeGate(Handshakes pace = Handshakes::kPaced) : pace_(pace) {}
  HandshakeGate(const HandshakeGate&) = delete;
  HandshakeGate& operator=(const HandshakeGate&) = delete;

  // Returns when it is the turn of a peer with this address; immediately if unpaced. Terminal cancellation unwinds and
  // leaves the queue. All calls pass the same clock, which must outlive them.
  [[nodiscard]] boost::asio::awaitable<void> enter(async::Clock& clock, HandshakeQueue::Address address);

 private:
  class Place;
  void admit(async::Clock& clock);

  Handshakes pace_;
  HandshakeQueue queue_;
  std::map<HandshakeQueue::Ticket, Place*> places_;
  std::unique_ptr<async::Timer> timer_;  // set while the queue is not empty
};

}  // namespace keelson::net
