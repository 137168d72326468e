// Memory that handlers of several servers share: whoever needs some reserves it, and waits while there is none.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <list>
#include <optional>

#include "keelson/async/notify.hpp"

namespace keelson::net {

// Must outlive every reservation.
class WorkMemory {
 public:
  explicit WorkMemory(std::size_t bytes) : limit_(bytes) {}
  WorkMemory(const WorkMemory&) = delete;
  WorkMemory& operator=(const WorkMemory&) = delete;
  ~WorkMemory();

  // Memory for one task, given back when this is destroyed or released.
  class Reservation {
   public:
    Reservation(Reservation&& from) noexcept;
    Reservation& operator=(Reservation&& from) noexcept;
    ~Reservation() { release(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    void release();

   private:
    friend class WorkMemory;
    Reservation(WorkMemory& memory, std::size_t bytes) : memory_(&memory), bytes_(bytes) {}
    WorkMemory* memory_;
    std::size_t bytes_;
  };

  // Waits for its turn, first come, first served: a large reservation cannot be starved by small ones. Cancellation
  // gives the turn to the next. More than there is means everything.
  [[nodiscard]] boost::asio::awaitable<Reservation> reserve(std::size_t bytes);
  // At once or not at all; not while others wait.
  [[nodiscard]] std::optional<Reservation> try_reserve(std::size_t bytes);

  [[nodiscard]] std::size_t all() const { return limit_; }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  struct Ticket {
    std::size_t bytes = 0;
    std::optional<Reservation> granted;
    async::Notify called;
  };
  class Place;

  [[nodiscard]] bool fits(std::size_t bytes) const { return bytes <= limit_ - used_; }
  [[nodiscard]] Reservation grant(std::size_t bytes);
  // Calls those whose turn has come.
  void go_on();

  std::size_t limit_;
  std::size_t used_ = 0;
  std::list<Ticket> tickets_;
};

}  // namespace keelson::net
