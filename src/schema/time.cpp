#include "keelson/schema/time.hpp"

#include <chrono>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/rfc3339.hpp"

namespace keelson::kube {

std::string format_time(Time time) { return base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(time)); }

std::string format_micro_time(Time time) {
  constexpr std::size_t kDigits = 6;
  auto second = std::chrono::floor<std::chrono::seconds>(time);
  auto micros = std::to_string(std::chrono::floor<std::chrono::microseconds>(time - second).count());
  auto text = format_time(time);
  text.insert(text.size() - 1, "." + std::string(kDigits - micros.size(), '0') + micros);
  return text;
}

Result<Time> parse_time(std::string_view text) {
  constexpr std::chrono::sys_days kFirst(std::chrono::year(1678) / 1 / 1);
  constexpr std::chrono::sys_days kEnd(std::chrono::year(2262) / 1 / 1);
  const auto time = base::parse_rfc3339(text);
  if (!time || time->second < kFirst || time->second >= kEnd) {
    return invalid_error("parsing time " + base::quote_go(text) + ": not of the form 2006-01-02T15:04:05Z");
  }
  return Time(time->second) + time->fraction;
}

Result<MicroTime> MicroTime::read(json::View view) {
  const auto text = view.string();
  if (!text) return malformed_error("expected " + std::string(kExpected));
  KEELSON_LET(auto time, parse_time(*text));
  return MicroTime(time);
}

void MicroTime::write(json::Writer& writer) const { writer.string(format_micro_time(time)); }

}  // namespace keelson::kube
