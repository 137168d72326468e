#include "src/zpages/figures.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "keelson/detail/base/rfc3339.hpp"

namespace keelson::zpages {
using namespace std::chrono_literals;

namespace {

struct Unit {
  std::int64_t size;
  std::string_view name;
};

}  // namespace

std::string decimal(double value) {
  int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  const std::int64_t scale = digits == 2 ? 100 : digits == 1 ? 10 : 1;
  const auto scaled = static_cast<std::int64_t>(std::llround(std::max(value, 0.0) * static_cast<double>(scale)));
  auto text = std::to_string(scaled / scale);
  auto rest = scaled % scale;
  if (rest == 0) return text;
  for (; rest % 10 == 0; --digits) rest /= 10;
  auto fraction = std::to_string(rest);
  fraction.insert(0, static_cast<std::size_t>(digits) - fraction.size(), '0');
  return text + "." + fraction;
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits{" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return decimal(bytes) + std::string(kUnits.at(unit));
}

std::string short_time(double seconds) {
  if (seconds >= 60) return span_text(std::chrono::seconds(std::llround(seconds)));
  if (seconds >= 1 || seconds <= 0) return decimal(seconds) + " s";
  if (seconds >= 1e-3) return decimal(seconds * 1e3) + " ms";
  return decimal(seconds * 1e6) + " µs";
}

std::string span_text(async::Duration duration) {
  constexpr std::array kUnits{Unit{86400, "d"}, Unit{3600, "h"}, Unit{60, "min"}, Unit{1, "s"}};
  auto seconds = std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(duration).count(), 0);
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && seconds < kUnits.at(unit).size) ++unit;
  auto text = std::to_string(seconds / kUnits.at(unit).size) + " " + std::string(kUnits.at(unit).name);
  if (unit + 1 == kUnits.size()) return text;
  const auto& next = kUnits.at(unit + 1);
  const auto rest = seconds % kUnits.at(unit).size / next.size;
  return rest == 0 ? text : text + " " + std::to_string(rest) + " " + std::string(next.name);
}

std::string time_text(async::WallTime time) {
  return base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(time));
}

double seconds_of(async::Duration duration) { return std::chrono::duration<double>(duration).count(); }

double quantile(const std::vector<std::pair<double, std::uint64_t>>& counts, double share) {
  if (counts.empty() || counts.back().second == 0) return 0;
  const auto rank = share * static_cast<double>(counts.back().second);
  double low = 0;
  double below = 0;
  for (const auto& [bound, count] : counts) {
    const auto up_to = static_cast<double>(count);
    if (up_to >= rank && up_to > below) {
      return std::isinf(bound) ? low : low + (bound - low) * (rank - below) / (up_to - below);
    }
    low = bound;
    below = up_to;
  }
  return low;
}

}  // namespace keelson::zpages
