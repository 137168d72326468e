// Schedule::parse: ParseStandard of robfig/cron v3.0.1, with its error texts.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/cron/field.hpp"

namespace keelson::cron {

namespace {

// v3 has no limit. A list of all values of all five fields takes 450 bytes, and a zone 40.
constexpr std::size_t kExpressionBytes = 1024;

// unicode.IsSpace.
bool is_space(std::uint32_t c) {
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// strings.Fields.
std::vector<std::string_view> split_fields(std::string_view text) {
  std::vector<std::string_view> fields;
  bool in_field = false;
  while (!text.empty()) {
    const auto rune = base::first_rune(text);
    const auto bytes = rune.bytes == 0 ? 1 : rune.bytes;
    if (rune.bytes != 0 && is_space(rune.code_point)) {
      in_field = false;
    } else if (in_field) {
      fields.back() = {fields.back().data(), fields.back().size() + bytes};
    } else {
      fields.push_back(text.substr(0, bytes));
      in_field = true;
    }
    text.remove_prefix(bytes);
  }
  return fields;
}

// strings.TrimSpace: from the first field to the last.
std::string_view trim(std::string_view text) {
  const auto fields = split_fields(text);
  if (fields.empty()) return {};
  const auto begin = static_cast<std::size_t>(fields.front().data() - text.data());
  const auto end = static_cast<std::size_t>(fields.back().data() - text.data()) + fields.back().size();
  return text.substr(begin, end - begin);
}

// Removes "TZ=… " or "CRON_TZ=… " from the front of `expression`.
Result<Zone> take_zone(std::string_view& expression, Zone otherwise) {
  if (!expression.starts_with("TZ=") && !expression.starts_with("CRON_TZ=")) return otherwise;
  const auto space = expression.find(' ');
  // v3 panics here; the prefix is Kubernetes' text for such a panic.
  if (space == std::string_view::npos) {
    return invalid_error("invalid schedule format: no expression after the time zone");
  }
  const auto equals = expression.find('=');
  const auto name = expression.substr(equals + 1, space - equals - 1);
  expression = trim(expression.substr(space));
  // v3 evaluates a schedule in "Local" like a schedule without a zone.
  if (name == "Local") return otherwise;
  auto zone = Zone::find(name);
  if (!zone) return invalid_error("provided bad location " + std::string(name) + ": " + zone.error().text);
  return zone;
}

struct Named {
  std::string_view descriptor;
  std::string_view fields;
};
constexpr auto kDescriptors = std::to_array<Named>({
    {"@yearly", "0 0 1 1 *"},
    {"@annually", "0 0 1 1 *"},
    {"@monthly", "0 0 1 * *"},
    {"@weekly", "0 0 * * 0"},
    {"@daily", "0 0 * * *"},
    {"@midnight", "0 0 * * *"},
    {"@hourly", "0 * * * *"},
});

Result<ScheduleParts> parse_fields(std::string_view text) {
  constexpr std::size_t kFields = 5;
  const auto fields = split_fields(text);
  if (fields.size() != kFields) {
    std::string found;
    for (const auto field : fields) found += (found.empty() ? "" : " ") + std::string(field);
    return invalid_error("expected exactly 5 fields, found " + std::to_string(fields.size()) + ": [" + found + "]");
  }
  const std::array bounds = {&kMinutes, &kHours, &kDays, &kMonths, &kWeekdays};
  std::array<Field, kFields> parsed;
  for (std::size_t i = 0; i < kFields; ++i) {
    KEELSON_LET(auto field, parse_field(fields[i], *bounds[i]));
    parsed[i] = field;
  }
  ScheduleParts parts;
  parts.minutes = parsed[0].bits;
  parts.hours = static_cast<std::uint32_t>(parsed[1].bits);
  parts.days = static_cast<std::uint32_t>(parsed[2].bits);
  parts.months = static_cast<std::uint16_t>(parsed[3].bits);
  parts.weekdays = static_cast<std::uint8_t>(parsed[4].bits);
  parts.both_days = parsed[2].star || parsed[4].star;
  return parts;
}

Result<ScheduleParts> parse_descriptor(std::string_view text) {
  for (const auto& [descriptor, fields] : kDescriptors) {
    if (descriptor == text) return parse_fields(fields);
  }
  constexpr std::string_view kEvery = "@every ";
  if (!text.starts_with(kEvery)) return invalid_error("unrecognized descriptor: " + std::string(text));
  const auto duration = base::parse_go_duration(text.substr(kEvery.size()));
  if (!duration) return invalid_error("failed to parse duration " + std::string(text) + ": " + duration.error().text);
  ScheduleParts parts;
  parts.every = std::max(std::chrono::duration_cast<std::chrono::seconds>(*duration), std::chrono::seconds(1));
  return parts;
}

}  // namespace

Result<Schedule> Schedule::parse(std::string_view expression, Zone zone) {
  if (expression.empty()) return invalid_error("empty spec string");
  if (expression.size() > kExpressionBytes) {
    return invalid_error("the expression is too long: it has " + std::to_string(expression.size()) +
                         " bytes, the limit is " + std::to_string(kExpressionBytes));
  }
  KEELSON_LET(const auto chosen, take_zone(expression, zone));
  KEELSON_LET(auto parts, expression.starts_with('@') ? parse_descriptor(expression) : parse_fields(expression));
  Schedule schedule(chosen);
  schedule.parts_ = parts;
  return schedule;
}

}  // namespace keelson::cron
