#include "keelson/net/server_budget.hpp"

#include <algorithm>
#include <list>
#include <utility>

#include "keelson/async/notify.hpp"
#include "keelson/base/assert.hpp"
#include "src/net/handshake_gate.hpp"
#include "src/net/server_ledger.hpp"

namespace keelson::net {
namespace asio = boost::asio;

// Who waits for memory, and what is in use.
struct ServerBudget::Queue {
  struct Ticket {
    std::size_t bytes = 0;
    std::optional<Reservation> granted;
    async::Notify called;
  };

  explicit Queue(std::size_t all) : limit(all) {}

  [[nodiscard]] bool fits(std::size_t bytes) const { return bytes <= limit - used; }
  [[nodiscard]] Reservation grant(ServerBudget& budget, std::size_t bytes) {
    used += bytes;
    return {budget, bytes};
  }
  // Calls those whose turn has come.
  void go_on(ServerBudget& budget) {
    for (auto& ticket : tickets) {
      if (ticket.granted) continue;
      if (!fits(ticket.bytes)) return;
      ticket.granted = grant(budget, ticket.bytes);
      ticket.called.notify_one();
    }
  }

  class Place;
  std::size_t limit;
  std::size_t used = 0;
  std::list<Ticket> tickets;
};

// Leaves the queue however the wait for it ends.
class ServerBudget::Queue::Place {
 public:
  Place(ServerBudget& budget, std::size_t bytes) : budget_(budget), ticket_(tickets().emplace(tickets().end())) {
    ticket_->bytes = bytes;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    tickets().erase(ticket_);
    budget_.queue_->go_on(budget_);
  }
  [[nodiscard]] Ticket& ticket() { return *ticket_; }

 private:
  [[nodiscard]] std::list<Ticket>& tickets() { return budget_.queue_->tickets; }
  ServerBudget& budget_;
  std::list<Ticket>::iterator ticket_;
};

ServerBudget::ServerBudget(ServerLimits limits)
    : ledger_(std::make_unique<ServerLedger>(limits)),
      handshakes_(std::make_unique<HandshakeGate>()),
      queue_(std::make_unique<Queue>(limits.work_bytes)) {}

ServerBudget::~ServerBudget() { KEELSON_ASSERT(queue_->used == 0 && queue_->tickets.empty()); }

ServerBudget::Reservation::Reservation(Reservation&& from) noexcept
    : budget_(std::exchange(from.budget_, nullptr)), bytes_(std::exchange(from.bytes_, 0)) {}

ServerBudget::Reservation& ServerBudget::Reservation::operator=(Reservation&& from) noexcept {
  if (this == &from) return *this;
  release();
  budget_ = std::exchange(from.budget_, nullptr);
  bytes_ = std::exchange(from.bytes_, 0);
  return *this;
}

void ServerBudget::Reservation::release() {
  auto* budget = std::exchange(budget_, nullptr);
  if (budget == nullptr) return;
  budget->queue_->used -= std::exchange(bytes_, 0);
  budget->queue_->go_on(*budget);
}

asio::awaitable<ServerBudget::Reservation> ServerBudget::reserve(std::size_t bytes) {
  bytes = std::min(bytes, queue_->limit);
  auto at_once = try_reserve(bytes);
  if (at_once) co_return std::move(*at_once);
  Queue::Place place(*this, bytes);
  auto& ticket = place.ticket();
  while (!ticket.granted) co_await ticket.called.wait();
  co_return std::move(*ticket.granted);
}

std::optional<ServerBudget::Reservation> ServerBudget::try_reserve(std::size_t bytes) {
  bool someone_waits = std::any_of(queue_->tickets.begin(), queue_->tickets.end(),
                                   [](const Queue::Ticket& ticket) { return !ticket.granted; });
  if (someone_waits || !queue_->fits(bytes)) return std::nullopt;
  return queue_->grant(*this, bytes);
}

std::size_t ServerBudget::connections() const { return ledger_->connections(); }
std::size_t ServerBudget::held_bytes() const { return ledger_->held_bytes(); }
std::size_t ServerBudget::work_bytes() const { return queue_->used; }

}  // namespace keelson::net
