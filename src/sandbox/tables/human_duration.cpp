#include "src/sandbox/tables/human_duration.hpp"

namespace keelson::sandbox {

namespace {

// "3d1h", or "3d" if the rest is zero.
std::string with_rest(std::int64_t whole, const char* unit, std::int64_t rest, const char* smaller) {
  auto text = std::to_string(whole) + unit;
  return rest == 0 ? text : text + std::to_string(rest) + smaller;
}

}  // namespace

std::string human_duration(std::chrono::seconds duration) {
  const std::int64_t seconds = duration.count();
  // Tolerates clocks that differ by a second.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return std::to_string(seconds) + "s";
  auto minutes = seconds / 60;
  if (minutes < 10) return with_rest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return std::to_string(minutes) + "m";
  auto hours = minutes / 60;
  if (hours < 8) return with_rest(hours, "h", minutes % 60, "m");
  if (hours < 48) return std::to_string(hours) + "h";
  auto days = hours / 24;
  if (days < 8) return with_rest(days, "d", hours % 24, "h");
  if (days < 730) return std::to_string(days) + "d";
  if (days < 2920) return with_rest(days / 365, "y", days % 365, "d");
  return std::to_string(days / 365) + "y";
}

}  // namespace keelson::sandbox
