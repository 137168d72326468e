// Gives memory back to the system when the program has become quiet after work (start-up, a burst of reconciles), and
// when rare work (a TLS handshake) has made code resident again.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/async/task_group.hpp"

namespace keelson::program {

// Of this process.
struct Usage {
  async::Duration cpu_time{};      // since it began
  std::size_t resident_files = 0;  // bytes of the files that it has mapped, its program above all
};

// Decides when: in the first quiet interval after a busy one, and in one after which more than kRegained of the files
// is resident again. To start is work.
class TrimSteps {
 public:
  static constexpr async::Duration kInterval = std::chrono::seconds(2);
  // Timers, probes and scrapes stay below this; a reconcile or two as well.
  static constexpr async::Duration kBusy = kInterval / 100;
  // A handshake alone brings back 3.6 MiB.
  static constexpr std::size_t kRegained = std::size_t{1} << 20;

  explicit TrimSteps(async::Duration cpu_time) : cpu_time_(cpu_time) {}

  // Once an interval.
  [[nodiscard]] bool is_due(const Usage& usage);

 private:
  async::Duration cpu_time_;
  bool was_busy_ = true;
  std::optional<std::size_t> kept_files_;  // the least in a quiet interval since memory was given back
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
