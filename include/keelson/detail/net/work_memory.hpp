// Memory that handlers of several servers share: a handler reserves an amount before it allocates, and waits until
// that amount is available.
//
// This only counts bytes; it allocates nothing and does not check what a handler allocates. It prevents many admission
// reviews at the same time from exceeding the memory limit of the pod: they run one after another instead.
//
// Estimate too much rather than too little: a reservation that is too small makes the limit ineffective, and one that
// is too large only delays others.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <list>
#include <optional>

#include "keelson/detail/async/notify.hpp"

namespace keelson::net {

// A counter of `bytes`. It must outlive every reservation and every waiting coroutine (asserted).
class WorkMemory {
 public:
  explicit WorkMemory(std::size_t bytes) : limit_(bytes) {}
  WorkMemory(const WorkMemory&) = delete;
  WorkMemory& operator=(const WorkMemory&) = delete;
  ~WorkMemory();

  // The memory of a task, as an RAII handle; destroying it makes the memory available to the next task. Move-only.
  class Reservation {
   public:
    Reservation(Reservation&& from) noexcept;
    Reservation& operator=(Reservation&& from) noexcept;
    ~Reservation() { release(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    // Ends the reservation before its destruction. It can be called again without effect.
    void release();

   private:
    friend class WorkMemory;
    Reservation(WorkMemory& memory, std::size_t bytes) : memory_(&memory), bytes_(bytes) {}
    WorkMemory* memory_;
    std::size_t bytes_;
  };

  // Waits until `bytes` are available, in the order of the calls: small reservations cannot starve a large one. Above
  // all() it reserves all(). Cancellation unwinds and leaves the queue. Await it with a single reservation per task:
  // two tasks that each hold one and wait for another would wait forever.
  [[nodiscard]] boost::asio::awaitable<Reservation> reserve(std::size_t bytes);
  // Reserves without waiting; nullopt if the memory is not available, or if others wait for it.
  [[nodiscard]] std::optional<Reservation> try_reserve(std::size_t bytes);

  [[nodiscard]] std::size_t all() const { return limit_; }  // in bytes, as passed to the constructor
  [[nodiscard]] std::size_t used() const { return used_; }  // reserved now

 private:
  // A waiting call. It stays in the list until the caller has resumed and taken the grant.
  struct Ticket {
    std::size_t bytes = 0;
    std::optional<Reservation> granted;
    async::Notify called;
  };
  // A Ticket as an RAII handle: a canceled call leaves the queue and returns what was granted already.
  class Place;

  [[nodiscard]] bool fits(std::size_t bytes) const { return bytes <= limit_ - used_; }
  [[nodiscard]] Reservation grant(std::size_t bytes);
  // Grants the reservations whose turn it is.
  void go_on();

  std::size_t limit_;
  std::size_t used_ = 0;
  std::list<Ticket> tickets_;
};

}  // namespace keelson::net
