#include "keelson/detail/net/work_memory.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/assert.hpp"

namespace keelson::net {
namespace asio = boost::asio;

// A place in the queue; leaves the queue however the wait ends.
class WorkMemory::Place {
 public:
  Place(WorkMemory& memory, std::size_t bytes)
      : memory_(memory), ticket_(memory.tickets_.emplace(memory.tickets_.end())) {
    ticket_->bytes = bytes;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    memory_.tickets_.erase(ticket_);
    memory_.go_on();
  }
  [[nodiscard]] Ticket& ticket() { return *ticket_; }

 private:
  WorkMemory& memory_;
  std::list<Ticket>::iterator ticket_;
};

WorkMemory::~WorkMemory() { KEELSON_ASSERT(used_ == 0 && tickets_.empty()); }

WorkMemory::Reservation::Reservation(Reservation&& from) noexcept
    : memory_(std::exchange(from.memory_, nullptr)), bytes_(std::exchange(from.bytes_, 0)) {}

WorkMemory::Reservation& WorkMemory::Reservation::operator=(Reservation&& from) noexcept {
  if (this == &from) return *this;
  release();
  memory_ = std::exchange(from.memory_, nullptr);
  bytes_ = std::exchange(from.bytes_, 0);
  return *this;
}

void WorkMemory::Reservation::release() {
  auto* memory = std::exchange(memory_, nullptr);
  if (memory == nullptr) return;
  memory->used_ -= std::exchange(bytes_, 0);
  memory->go_on();
}

WorkMemory::Reservation WorkMemory::grant(std::size_t bytes) {
  used_ += bytes;
  return {*this, bytes};
}

void WorkMemory::go_on() {
  for (auto& ticket : tickets_) {
    if (ticket.granted) continue;
    if (!fits(ticket.bytes)) return;
    ticket.granted = grant(ticket.bytes);
    ticket.called.notify_one();
  }
}

asio::awaitable<WorkMemory::Reservation> WorkMemory::reserve(std::size_t bytes) {
  bytes = std::min(bytes, limit_);
  auto at_once = try_reserve(bytes);
  if (at_once) co_return std::move(*at_once);
  Place place(*this, bytes);
  auto& ticket = place.ticket();
  while (!ticket.granted) co_await ticket.called.wait();
  co_return std::move(*ticket.granted);
}

std::optional<WorkMemory::Reservation> WorkMemory::try_reserve(std::size_t bytes) {
  bool someone_waits = std::ranges::any_of(tickets_, [](const Ticket& ticket) { return !ticket.granted; });
  if (someone_waits || !fits(bytes)) return std::nullopt;
  return grant(bytes);
}

}  // namespace keelson::net
