#include "keelson/detail/zpages/history.hpp"

#include <algorithm>

#include "keelson/detail/zpages/page.hpp"

namespace keelson::zpages {
namespace asio = boost::asio;

void History::add(std::string name, Sampling sampling, std::function<double()> read) {
  if (series_.size() >= limits::kHistorySeries) return;
  series_.push_back({std::move(name), sampling, std::move(read), 0, {}});
  series_.back().points.reserve(limits::kHistoryPoints);
}

Task<void> History::start() {
  for (auto& series : series_) series.last = series.read();
  tasks_.spawn(sample_forever());
  co_return Result<void>();
}

asio::awaitable<void> History::stop() {
  tasks_.stop();
  co_await tasks_.join();
}

asio::awaitable<void> History::sample_forever() {
  for (;;) {
    co_await async::sleep_for(clock_, kInterval);
    for (auto& series : series_) sample(series);
  }
}

void History::sample(Series& series) {
  auto value = series.read();
  if (series.sampling == Sampling::kTotal) {
    const auto increase = value - std::exchange(series.last, value);
    value = std::max(increase, 0.0) / std::chrono::duration<double>(kInterval).count();
  }
  if (series.points.size() >= limits::kHistoryPoints) series.points.erase(series.points.begin());
  series.points.push_back(static_cast<float>(value));
}

std::vector<float> History::points(std::string_view name) const {
  const auto found = std::ranges::find_if(series_, [&](const auto& series) { return series.name == name; });
  return found == series_.end() ? std::vector<float>() : found->points;
}

}  // namespace keelson::zpages
