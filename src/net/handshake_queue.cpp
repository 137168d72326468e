#include "src/net/handshake_queue.hpp"

#include <algorithm>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <utility>

namespace keelson::net {
namespace ip = boost::asio::ip;

ip::address HandshakeQueue::peer_of(const ip::address& address) {
  if (address.is_v4()) return address;
  auto v6 = address.to_v6();
  if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6);
  auto bytes = v6.to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes);
}

HandshakeQueue::Ticket HandshakeQueue::join(const Address& peer) {
  peers_[peer].waiting.push_back(++last_);
  return last_;
}

void HandshakeQueue::leave(const Address& peer, Ticket ticket) {
  auto found = peers_.find(peer);
  if (found != peers_.end()) std::erase(found->second.waiting, ticket);
}

std::optional<HandshakeQueue::Ticket> HandshakeQueue::next(async::TimePoint now) {
  std::erase_if(
      peers_, [now](const auto& entry) { return entry.second.waiting.empty() && entry.second.bucket.full_at <= now; });
  if (all_.opens_at(all_rate_) > now) return std::nullopt;
  auto rank = [now](const Peer& peer) { return std::pair(std::max(peer.bucket.full_at, now), peer.waiting.front()); };
  Peer* chosen = nullptr;
  for (auto& [address, peer] : peers_) {
    if (peer.waiting.empty() || peer.bucket.opens_at(peer_rate_) > now) continue;
    if (chosen == nullptr || rank(peer) < rank(*chosen)) chosen = &peer;
  }
  if (chosen == nullptr) return std::nullopt;
  all_.take(all_rate_, now);
  chosen->bucket.take(peer_rate_, now);
  auto ticket = chosen->waiting.front();
  chosen->waiting.pop_front();
  return ticket;
}

std::optional<async::TimePoint> HandshakeQueue::next_turn() const {
  std::optional<async::TimePoint> turn;
  for (const auto& [address, peer] : peers_) {
    if (peer.waiting.empty()) continue;
    auto opens = std::max(peer.bucket.opens_at(peer_rate_), all_.opens_at(all_rate_));
    turn = std::min(turn.value_or(opens), opens);
  }
  return turn;
}

}  // namespace keelson::net
