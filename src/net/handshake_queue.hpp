// Decides which TLS handshake begins next, and when: so many a second for each peer, and so many for all peers.
//
// A handshake costs its server 1 to 2 ms of CPU, and its client nothing: a recorded ClientHello can be replayed. Peers
// above their rate wait for their own turns. When all peers together are above the rate of all, the peer that has used
// least goes first, so that a client with a few connections does not wait for those that open many.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "keelson/async/token_bucket.hpp"

namespace keelson::net {

// At 2 ms each (P-384) all of them take 60 ms of a second: an eighth of half a CPU, the deployed pod's limit.
inline constexpr async::Rate kAllHandshakes{std::chrono::milliseconds(33), 30};
// An API server keeps its connections and opens another one for each review at once; while that waits, Go's client
// takes one of the others as soon as it is free.
inline constexpr async::Rate kHandshakesOfPeer{std::chrono::milliseconds(100), 20};

class HandshakeQueue {
 public:
  using Address = boost::asio::ip::address;
  using Ticket = std::uint64_t;

  // What counts as one peer: an IPv4 address, also written as IPv6, or a network of 64 bits, which one host has as a
  // whole.
  [[nodiscard]] static Address peer_of(const Address& address);

  explicit HandshakeQueue(async::Rate all = kAllHandshakes, async::Rate of_peer = kHandshakesOfPeer)
      : all_rate_(all), peer_rate_(of_peer) {}

  [[nodiscard]] Ticket join(const Address& peer);
  // Before its turn.
  void leave(const Address& peer, Ticket ticket);

  // Whose turn it is now; it leaves the queue.
  [[nodiscard]] std::optional<Ticket> next(async::TimePoint now);
  // When the next turn comes; nullopt while the queue is empty.
  [[nodiscard]] std::optional<async::TimePoint> next_turn() const;

  // Peers that wait or are above no handshake at all; bounded by those that wait, and by the rate of all.
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
