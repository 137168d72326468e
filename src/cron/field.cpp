#include "src/cron/field.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::cron {

namespace {

constexpr auto kMonthNames = std::to_array<std::string_view>(
    {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});
constexpr auto kWeekdayNames = std::to_array<std::string_view>({"sun", "mon", "tue", "wed", "thu", "fri", "sat"});

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// Go's strings.ToLower maps two letters beyond ASCII to ASCII letters; only the dotted I can occur in a name.
std::string lower(std::string_view text) {
  constexpr std::string_view kDottedI = "\u0130";
  std::string out = base::to_lower(text);
  for (auto at = out.find(kDottedI); at != std::string::npos; at = out.find(kDottedI)) {
    out.replace(at, kDottedI.size(), "i");
  }
  return out;
}

Error not_a_number(std::string_view text, std::string_view reason) {
  return invalid_error("failed to parse int from " + std::string(text) + ": strconv.Atoi: parsing " +
                       base::quote_go(text) + ": " + std::string(reason));
}

// Go's strconv.Atoi, which accepts a sign and leading zeros; negative numbers are rejected.
Result<std::uint64_t> parse_number(std::string_view text) {
  auto digits = text;
  if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return not_a_number(text, "invalid syntax");
  }
  const auto value = base::parse_number<std::int64_t>(text.starts_with('+') ? digits : text);
  if (!value) return not_a_number(text, "value out of range");
  if (*value < 0) {
    return invalid_error("negative number (" + std::to_string(*value) + ") not allowed: " + std::string(text));
  }
  return static_cast<std::uint64_t>(*value);
}

Result<std::uint64_t> parse_value(std::string_view text, const Bounds& bounds) {
  const auto name = lower(text);
  for (std::size_t i = 0; i < bounds.names.size(); ++i) {
    if (bounds.names[i] == name) return bounds.min + i;
  }
  return parse_number(text);
}

struct Range {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;
  bool star = false;
};

Result<Range> parse_ends(std::string_view text, std::string_view item, const Bounds& bounds) {
  const auto ends = split(text, '-');
  // The text after the hyphen of "*-x" is ignored, as in v3.
  if (ends[0] == "*" || ends[0] == "?") return Range{bounds.min, bounds.max, 1, true};
  const auto start = parse_value(ends[0], bounds);
  if (!start) return start.error();
  if (ends.size() > 2) return invalid_error("too many hyphens: " + std::string(item));
  KEELSON_LET(const auto end, ends.size() == 2 ? parse_value(ends[1], bounds) : start);
  return Range{*start, end, 1, false};
}

// v3's checks in v3's order, because the user gets the first error.
std::optional<std::string> rejection(const Range& range, const Bounds& bounds) {
  const auto start = std::to_string(range.start);
  const auto end = std::to_string(range.end);
  if (range.start < bounds.min) {
    return "beginning of range (" + start + ") below minimum (" + std::to_string(bounds.min) + ")";
  }
  if (range.end > bounds.max) return "end of range (" + end + ") above maximum (" + std::to_string(bounds.max) + ")";
  if (range.start > range.end) return "beginning of range (" + start + ") beyond end of range (" + end + ")";
  if (range.step == 0) return "step of range should be a positive number";
  return std::nullopt;
}

Result<Range> parse_range(std::string_view item, const Bounds& bounds) {
  const auto parts = split(item, '/');
  auto range = parse_ends(parts[0], item, bounds);
  if (!range) return range;
  if (parts.size() > 2) return invalid_error("too many slashes: " + std::string(item));
  if (parts.size() == 2) {
    const auto step = parse_number(parts[1]);
    if (!step) return step.error();
    range->step = *step;
    // "N/step" runs to the maximum.
    if (parts[0].find('-') == std::string_view::npos) range->end = bounds.max;
    if (*step > 1) range->star = false;
  }
  if (auto why = rejection(*range, bounds)) return invalid_error(*why + ": " + std::string(item));
  return range;
}

}  // namespace

const Bounds kMinutes{0, 59};
const Bounds kHours{0, 23};
const Bounds kDays{1, 31};
const Bounds kMonths{1, 12, kMonthNames};
const Bounds kWeekdays{0, 6, kWeekdayNames};

Result<Field> parse_field(std::string_view text, const Bounds& bounds) {
  Field field;
  for (const auto item : split(text, ',')) {
    if (item.empty()) continue;
    KEELSON_LET(const auto range, parse_range(item, bounds));
    // The step may be any number, so an addition before the comparison could overflow.
    for (auto value = range.start;; value += range.step) {
      field.bits |= std::uint64_t{1} << value;
      if (range.end - value < range.step) break;
    }
    field.star = field.star || range.star;
  }
  return field;
}

}  // namespace keelson::cron
