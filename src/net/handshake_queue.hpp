// Decides which TLS handshake begins next, and when: there is a rate for each peer, and a rate for all peers together.
//
// A handshake costs the server 1 to 2 ms of CPU and the client nothing, because a recorded ClientHello can be replayed.
// Peers above their rate wait for their own turns. If all peers together are above their rate, the peer that has used
// the fewest turns goes first, so that a client with few connections does not wait for clients that open many.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "keelson/detail/async/token_bucket.hpp"

namespace keelson::net {

// The rate of all handshakes: at 2 ms each (P-384) they take 60 ms of a second, an eighth of half a CPU, the deployed
// pod's limit.
inline constexpr async::Rate kAllHandshakes{std::chrono::milliseconds(33), 30};
// An API server reuses its connections and opens another one for each concurrent review; while its handshake waits,
// Go's client uses one of the others as soon as it is idle.
inline constexpr async::Rate kHandshakesOfPeer{std::chrono::milliseconds(100), 20};

class HandshakeQueue {
 public:
  using Address = boost::asio::ip::address;
  using Ticket = std::uint64_t;

  // The address that identifies a peer: an IPv4 address, even if it is mapped to IPv6, or a /64 network of IPv6,
  // because a single host owns such a network.
  [[nodiscard]] static Address peer_of(const Address& address);

  explicit HandshakeQueue(async::Rate all = kAllHandshakes, async::Rate of_peer = kHandshakesOfPeer)
      : all_rate_(all), peer_rate_(of_peer) {}

  [[nodiscard]] Ticket join(const Address& peer);
  // Leaves the queue before its turn.
  void leave(const Address& peer, Ticket ticket);

  // Removes and returns the ticket whose turn it is now; nullopt if there is none.
  [[nodiscard]] std::optional<Ticket> next(async::TimePoint now);
  // When the next turn comes; nullopt while the queue is empty.
  [[nodiscard]] std::optional<async::TimePoint> next_turn() const;

  // The number of stored peers: those that wait, and those that have not regained their whole burst. The rate of all
  // peers bounds the latter.
  [[nodiscard]] std::size_t peers() const { return peers_.size(); }

 private:
  struct Peer {
    async::TokenBucket bucket;
    std::deque<Ticket> waiting;
  };

  async::Rate all_rate_;
  async::Rate peer_rate_;
  async::TokenBucket all_;
  std::map<Address, Peer> peers_;
  Ticket last_ = 0;
};

}  // namespace keelson::net
