// The last ten minutes of some numbers, for charts: a point every 10 s, in fixed memory.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"

namespace keelson::limits {

// Charts of a program, each with kHistoryPoints numbers: 4 of the process and 2 of each controller.
inline constexpr std::size_t kHistorySeries = 64;

}  // namespace keelson::limits

namespace keelson::zpages {

class History final : public async::Runnable {
 public:
  static constexpr async::Duration kInterval = std::chrono::seconds(10);

  // kTotal: `read` returns a total that only increases, and a point is its increase per second.
  enum class Sampling { kValue, kTotal };

  // The clock must outlive it.
  History(boost::asio::any_io_executor executor, async::Clock& clock) : clock_(clock), tasks_(std::move(executor)) {}

  // Adds a series, before start(); beyond limits::kHistorySeries it has no effect. `read` is called every 10 s: it must
  // not wait, and must take the same time whatever the number of objects is.
  void add(std::string name, Sampling sampling, std::function<double()> read);

  std::string name() const override { return "history"; }
  Task<void> start() override;
  boost::asio::awaitable<void> stop() override;

  // The points of the series, the oldest first, at most limits::kHistoryPoints; empty if there is no such series, or no
  // point yet.
  [[nodiscard]] std::vector<float> points(std::string_view name) const;

 private:
  struct Series {
    std::string name;
    Sampling sampling;
    std::function<double()> read;
    double last = 0;  // of a total
    std::vector<float> points;
  };
  [[nodiscard]] boost::asio::awaitable<void> sample_forever();
  static void sample(Series& series);

  async::Clock& clock_;
  std::vector<Series> series_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::zpages
