#include "src/net/server_ledger.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace keelson::net {

ServerLedger::Seat::Seat(ServerLedger& ledger, Account& account, std::function<void()> evict)
    : ledger_(ledger),
      account_(account),
      evict_(std::move(evict)),
      place_(ledger.seats_.insert(ledger.seats_.end(), this)) {
  if (++account_.connections > ledger_.limits_.own_connections) ++ledger_.shared_in_use_;
}

ServerLedger::Seat::~Seat() {
  hold(0);
  ledger_.seats_.erase(place_);
  auto of_peer = ledger_.seats_of_.find(peer_);
  if (of_peer != ledger_.seats_of_.end() && --of_peer->second == 0) ledger_.seats_of_.erase(of_peer);
  if (account_.connections-- > ledger_.limits_.own_connections) --ledger_.shared_in_use_;
  ledger_.changed_.notify_all();
}

void ServerLedger::Seat::come_from(const std::string& peer) {
  peer_ = peer;
  ++ledger_.seats_of_[peer_];
}

void ServerLedger::Seat::begin_request(async::TimePoint now) {
  is_proven_ = false;
  wait_from(now);
}

void ServerLedger::Seat::hold(std::size_t bytes, Who may_go) {
  bool is_more = bytes > held_bytes_;
  ledger_.count(*this, bytes);
  if (is_more) ledger_.relieve(may_go == Who::kKeepSelf ? this : nullptr);
}

void ServerLedger::Seat::evict() {
  work();
  // Its bytes count as freed at once, so that no other connection is evicted for them.
  hold(0);
  evict_();
}

bool ServerLedger::is_full(const Account& account) const {
  return account.connections >= limits_.own_connections && shared_in_use_ >= limits_.shared_connections;
}

void ServerLedger::evict_for(const Account& account) {
  // The eviction of a connection within another server's own share would make room for that server only.
  auto helps = [this, &account](const Seat& seat) {
    return &seat.account_ == &account || seat.account_.connections > limits_.own_connections;
  };
  if (auto* chosen = longest_waiting(helps)) chosen->evict();
}

void ServerLedger::count(Seat& seat, std::size_t bytes) {
  held_bytes_ = held_bytes_ - seat.held_bytes_ + bytes;
  if (is_large(seat.held_bytes_)) large_held_bytes_ -= seat.held_bytes_;
  if (is_large(bytes)) large_held_bytes_ += bytes;
  seat.held_bytes_ = bytes;
}

// If large connections exceed their part, large ones are evicted. If all connections exceed the limit, the one that has
// waited longest is evicted, whatever its size: a stalled upload before a small request that has just arrived.
void ServerLedger::relieve(const Seat* kept) {
  // Connections that hold no more than this are never evicted for their bytes, because all of them together fit into
  // the limit. Probes hold less.
  const auto little = limits_.held_bytes / std::max<std::size_t>(1, 2 * limits_.shared_connections);
  auto longest = [this, kept, little](bool only_large) {
    return longest_waiting([&](const Seat& seat) {
      return &seat != kept && seat.held_bytes_ > little && (!only_large || is_large(seat.held_bytes_));
    });
  };
  for (;;) {
    Seat* chosen = large_held_bytes_ > room_of_large() ? longest(true) : nullptr;
    if (chosen == nullptr && held_bytes_ > limits_.held_bytes) chosen = longest(false);
    if (chosen == nullptr) return;
    chosen->evict();
  }
}

// An API server has a few dozen connections; a client with more than a quarter of all shared ones is evicted first.
bool ServerLedger::is_of_crowd(const Seat& seat) const {
  auto found = seats_of_.find(seat.peer_);
  return found != seats_of_.end() && found->second > limits_.shared_connections / 4;
}

// The connection to evict: first those from an address with very many connections, then those whose request is not
// complete, then the one that has waited longest.
ServerLedger::Seat* ServerLedger::longest_waiting(const std::function<bool(const Seat&)>& may_go) const {
  auto rank = [this](const Seat& seat) { return std::tuple(!is_of_crowd(seat), seat.is_proven_, *seat.waits_since_); };
  Seat* chosen = nullptr;
  for (auto* seat : seats_) {
    if (!seat->waits_since_ || !may_go(*seat)) continue;
    if (chosen == nullptr || rank(*seat) < rank(*chosen)) chosen = seat;
  }
  return chosen;
}

}  // namespace keelson::net
