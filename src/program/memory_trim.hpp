// Gives memory back to the system when the program has become quiet after work: start-up, a burst of reconciles.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/async/task_group.hpp"

namespace keelson::program {

// Decides when: in the first quiet interval after a busy one. To start is work.
class TrimSteps {
 public:
  static constexpr async::Duration kInterval = std::chrono::seconds(2);
  // Timers, probes and scrapes stay below this; a reconcile or two as well.
  static constexpr async::Duration kBusy = kInterval / 100;

  explicit TrimSteps(async::Duration cpu_time) : cpu_time_(cpu_time) {}

  // Once an interval. `cpu_time` is what the process has used since it began.
  [[nodiscard]] bool is_due(async::Duration cpu_time);

 private:
  async::Duration cpu_time_;
  bool was_busy_ = true;
};

class MemoryTrim final : public async::Runnable {
 public:
  MemoryTrim(boost::asio::any_io_executor executor, async::Clock& clock) : clock_(clock), tasks_(std::move(executor)) {}
  std::string name() const override { return "memory trim"; }
  boost::asio::awaitable<Result<void>> start() override;
  boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] boost::asio::awaitable<void> watch();
  async::Clock& clock_;
  async::TaskGroup tasks_;
};

// A mapping of /proc/PID/smaps whose pages can be dropped without loss.
struct Droppable {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
// Read-only pieces of files. One with a page of its own, such as a breakpoint or probe of a debugger in the code, is
// left out: that page is nowhere else.
[[nodiscard]] std::vector<Droppable> droppable_mappings(std::istream& smaps);

}  // namespace keelson::program
