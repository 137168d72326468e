#include "src/schema/time_text.hpp"

#include "keelson/detail/base/rfc3339.hpp"

namespace keelson::kube {

using std::chrono::floor;
using std::chrono::seconds;

std::string format_rfc3339(Time time) { return base::format_rfc3339(floor<seconds>(time)); }

std::optional<Time> parse_rfc3339(std::string_view text) {
  const auto time = base::parse_rfc3339(text);
  if (!time) return std::nullopt;
  const std::chrono::year_month_day date(floor<std::chrono::days>(time->second));
  if (date.year() < std::chrono::year(1678) || date.year() > std::chrono::year(2261)) return std::nullopt;
  return Time(time->second) + time->fraction;
}

}  // namespace keelson::kube
