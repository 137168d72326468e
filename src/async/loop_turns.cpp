#include "keelson/detail/async/loop_turns.hpp"

#include <algorithm>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "src/async/measured_wait.hpp"

namespace keelson::async {
namespace asio = boost::asio;

// The LoopTurns of one loop, or null. Owned by the loop.
class TurnService final : public asio::execution_context::service {
 public:
  using key_type = TurnService;
  static inline asio::execution_context::id id;

  explicit TurnService(asio::execution_context& context) : service(context) {}

  // Calls `wait`, which takes no time if it only polls: a busy loop then reads the clock once per turn.
  template <class Wait>
  int measure(Wait wait, bool only_looks) {
    if (turns == nullptr) return wait();
    auto began = turns->clock_.now();
    turns->meter_.waits(began);
    int count = wait();
    turns->meter_.wakes(only_looks ? began : turns->clock_.now());
    return count;
  }

  LoopTurns* turns = nullptr;

  // Asio finds a service under a mutex in a list, which is too expensive for each turn of the loop.
  static TurnService& of(asio::execution_context& context) {
    if (last == nullptr || &last->context() != &context) last = &asio::use_service<TurnService>(context);
    return *last;
  }

 private:
  // A new loop may have the address of a destroyed one.
  void shutdown() override {
    turns = nullptr;
    if (last == this) last = nullptr;
  }

  // The service of the loop that this thread ran last. The thread that runs a loop destroys it, or ends before it.
  static inline thread_local TurnService* last = nullptr;
};

void TurnMeter::waits(TimePoint now) {
  if (!awake_since_) return;
  const Duration took = now - *std::exchange(awake_since_, std::nullopt);
  const auto bound = std::ranges::find_if(kTurnBounds, [&](Duration most) { return took <= most; });
  ++turns_.counts.at(static_cast<std::size_t>(bound - kTurnBounds.begin()));
  turns_.total += took;
  turns_.longest = std::max(turns_.longest, took);
}

Turns TurnMeter::take() { return std::exchange(turns_, {}); }

LoopTurns::LoopTurns(const asio::any_io_executor& executor, Clock& clock)
    : service_(asio::use_service<TurnService>(asio::query(executor, asio::execution::context))), clock_(clock) {
  KEELSON_ASSERT(service_.turns == nullptr);
  service_.turns = this;
}

LoopTurns::~LoopTurns() { service_.turns = nullptr; }

int measured_epoll_wait(asio::execution_context& context, int descriptor, epoll_event* events, int size,
                        int timeout_ms) {
  auto wait = [&] { return ::epoll_wait(descriptor, events, size, timeout_ms); };
  return TurnService::of(context).measure(wait, timeout_ms == 0);
}

}  // namespace keelson::async
