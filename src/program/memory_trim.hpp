// Returns memory to the system when the program is idle after work (start-up, a burst of reconciles), and when rare
// work (a TLS handshake) has made code resident again.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"

namespace keelson::program {

// The usage of this process.
struct Usage {
  async::Duration cpu_time{};      // since the start
  std::size_t resident_files = 0;  // resident bytes of mapped files, mainly of the program itself
};

// Decides when memory is returned: in the first idle interval after a busy one, and in an interval after which more
// than kRegained of the files is resident again. The start counts as work.
class TrimPolicy {
 public:
  static constexpr async::Duration kInterval = std::chrono::seconds(2);
  // Timers, probes, scrapes and a few reconciles use less CPU time than this.
  static constexpr async::Duration kBusy = kInterval / 100;
  // A single handshake makes 3.6 MiB resident again.
  static constexpr std::size_t kRegained = std::size_t{1} << 20;

  explicit TrimPolicy(async::Duration cpu_time) : cpu_time_(cpu_time) {}

  // Call it once in each interval.
  [[nodiscard]] bool is_due(const Usage& usage);

 private:
  async::Duration cpu_time_;
  bool was_busy_ = true;
  std::optional<std::size_t> kept_files_;  // the minimum in an idle interval since memory was returned
};

class MemoryTrim final : public async::Runnable {
 public:
  MemoryTrim(boost::asio::any_io_executor executor, async::Clock& clock) : clock_(clock), tasks_(std::move(executor)) {}
  std::string name() const override { return "memory trim"; }
  Task<void> start() override;
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
// The read-only mappings of files. A mapping with an anonymous page, such as the breakpoint of a debugger in the code,
// is not included, because dropping it would lose that page.
[[nodiscard]] std::vector<Droppable> droppable_mappings(std::istream& smaps);

}  // namespace keelson::program
