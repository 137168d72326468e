#include "src/net/handshake_gate.hpp"

#include <utility>

#include "keelson/detail/async/notify.hpp"

namespace keelson::net {

// A place in the queue while its coroutine waits.
class HandshakeGate::Place {
 public:
  Place(HandshakeGate& gate, HandshakeQueue::Address peer)
      : gate_(gate), peer_(std::move(peer)), ticket_(gate.queue_.join(peer_)) {
    gate_.places_.emplace(ticket_, this);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    gate_.places_.erase(ticket_);
    gate_.queue_.leave(peer_, ticket_);
    if (gate_.places_.empty()) gate_.timer_.reset();
  }

  void admit() {
    is_admitted_ = true;
    called_.notify_all();
  }
  [[nodiscard]] bool is_admitted() const { return is_admitted_; }
  [[nodiscard]] async::Notify& called() { return called_; }

 private:
  HandshakeGate& gate_;
  HandshakeQueue::Address peer_;
  HandshakeQueue::Ticket ticket_;
  bool is_admitted_ = false;
  async::Notify called_;
};

boost::asio::awaitable<void> HandshakeGate::enter(async::Clock& clock, HandshakeQueue::Address address) {
  if (pace_ == Handshakes::kUnpaced) co_return;
  Place place(*this, HandshakeQueue::peer_of(address));
  admit(clock);
  while (!place.is_admitted()) co_await place.called().wait();
}

void HandshakeGate::admit(async::Clock& clock) {
  while (auto ticket = queue_.next(clock.now())) places_.at(*ticket)->admit();
  auto turn = queue_.next_turn();
  timer_ = turn ? clock.call_at(*turn, [this, &clock] { admit(clock); }) : nullptr;
}

}  // namespace keelson::net
