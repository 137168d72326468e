#include "src/sandbox/fields/go_values.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/fields/go_structs.hpp"

namespace keelson::sandbox {

namespace {

// Reads a text as time.Parse does with the layouts RFC3339 and RFC3339Micro, in the years 0 to 9999.
class TimeReader {
 public:
  TimeReader(std::string_view text, bool is_micro)
      : rest_(text), layout_(is_micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00") {
    const int year = number("2006", 9999, "year");
    literal("-");
    const int month = number("01", 12, "month");
    literal("-");
    const int day = number("02", 99, "day");
    literal("T");
    const int hour = number("15", 23, "hour");
    literal(":");
    const int minute = number("04", 59, "minute");
    literal(":");
    const int second = number("05", 59, "second");
    fraction(is_micro);
    zone();
    using std::chrono::year_month_day;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!error_ && !date.ok()) error_ = ": day out of range";
    if (error_) return;
    time_.at = std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute - offset_minutes_) +
               std::chrono::seconds(second);
  }

  [[nodiscard]] std::optional<std::string> error() const { return error_; }
  // Without an error.
  [[nodiscard]] GoTime time() const { return time_; }

 private:
  [[nodiscard]] std::size_t digits() const { return std::min(rest_.find_first_not_of("0123456789"), rest_.size()); }
  void fail(std::string_view part) {
    if (error_) return;
    error_ =
        " as " + base::quote_go(layout_) + ": cannot parse " + base::quote_go(rest_) + " as " + base::quote_go(part);
  }
  void literal(std::string_view part) {
    if (!rest_.starts_with(part)) fail(part);
    if (!error_) rest_.remove_prefix(part.size());
  }
  // As many digits as the part of the layout; 0 after an error.
  int number(std::string_view part, int most, std::string_view name) {
    if (digits() < part.size()) fail(part);
    if (error_) return 0;
    int value = 0;
    for (char c : rest_.substr(0, part.size())) value = 10 * value + (c - '0');
    const bool is_out_of_range = value > most || (part == "01" && value == 0);
    if (is_out_of_range) error_ = ": " + std::string(name) + " out of range";
    rest_.remove_prefix(part.size());
    return value;
  }
  void fraction(bool is_micro) {
    constexpr std::string_view kMicro = ".000000";
    const auto whole = rest_;
    const bool has_point = rest_.starts_with('.') || rest_.starts_with(',');
    if (has_point) rest_.remove_prefix(1);
    const auto count = has_point ? digits() : 0;
    if (is_micro ? count < kMicro.size() - 1 : has_point && count == 0) {
      rest_ = whole;
      return fail(is_micro ? kMicro : std::string_view("Z07:00"));
    }
    int unit = 100'000'000;
    for (char c : rest_.substr(0, count)) {
      time_.nanoseconds += (c - '0') * unit;
      unit /= 10;
    }
    rest_.remove_prefix(is_micro ? kMicro.size() - 1 : count);
  }
  void zone() {
    if (error_) return;
    const bool is_offset = rest_.size() >= 6 && (rest_[0] == '+' || rest_[0] == '-') && rest_[3] == ':' &&
                           base::is_digit(rest_[1]) && base::is_digit(rest_[2]) && base::is_digit(rest_[4]) &&
                           base::is_digit(rest_[5]);
    if (!rest_.starts_with('Z') && !is_offset) return fail("Z07:00");
    if (is_offset && rest_.substr(1, 2) > "24") error_ = ": time zone offset hour out of range";
    if (is_offset && !error_ && rest_.substr(4, 2) > "60") error_ = ": time zone offset minute out of range";
    if (is_offset) {
      offset_minutes_ = 600 * (rest_[1] - '0') + 60 * (rest_[2] - '0') + 10 * (rest_[4] - '0') + (rest_[5] - '0');
      if (rest_[0] == '-') offset_minutes_ = -offset_minutes_;
    }
    rest_.remove_prefix(is_offset ? 6 : 1);
    if (!error_ && !rest_.empty()) error_ = ": extra text: " + base::quote_go(rest_);
  }

  std::string_view rest_;
  std::string_view layout_;
  std::optional<std::string> error_;
  int offset_minutes_ = 0;
  GoTime time_;
};

std::string padded(std::int64_t number, std::size_t width) {
  auto text = std::to_string(number);
  return std::string(width - std::min(width, text.size()), '0') + text;
}

}  // namespace

std::vector<const Tree::Members::value_type*> sorted_members(const Tree& object) {
  std::vector<const Tree::Members::value_type*> members;
  for (const auto& member : object.members()) members.push_back(&member);
  std::ranges::sort(members, [](const auto* a, const auto* b) { return a->first < b->first; });
  return members;
}

std::string go_json(const Tree& value) {
  if (value.is_array()) {
    std::string text;
    for (const auto& item : value.items()) text += (text.empty() ? "" : ",") + go_json(item);
    return "[" + text + "]";
  }
  if (!value.is_object()) return html_safe(value.text());
  std::string text;
  for (const auto* member : sorted_members(value)) {
    text += (text.empty() ? "" : ",") + html_safe(Tree(member->first).text()) + ":" + go_json(member->second);
  }
  return "{" + text + "}";
}

std::string go_kind(const Tree& value) {
  switch (value.type()) {
    case Tree::Type::kNull:
      return "null";
    case Tree::Type::kBool:
      return "bool";
    case Tree::Type::kNumber:
      return "number";
    case Tree::Type::kString:
      return "string";
    case Tree::Type::kArray:
      return "array";
    case Tree::Type::kObject:
    case Tree::Type::kRaw:
      break;
  }
  return "object";
}

std::string go_print(const Tree& value) {
  std::string text;
  if (value.is_array()) {
    for (const auto& item : value.items()) text += (text.empty() ? "" : " ") + go_print(item);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    for (const auto* member : sorted_members(value)) {
      text += (text.empty() ? "" : " ") + member->first + ":" + go_print(member->second);
    }
    return "map[" + text + "]";
  }
  return value.is_null() ? "<nil>" : value.scalar();
}

std::optional<std::string> time_error(std::string_view text, bool is_micro) {
  auto error = TimeReader(text, is_micro).error();
  return error ? std::optional("parsing time " + base::quote_go(text) + *error) : std::nullopt;
}

std::optional<GoTime> parse_go_time(std::string_view text) {
  const TimeReader reader(text, false);
  return reader.error() ? std::nullopt : std::optional(reader.time());
}

std::string format_go_time(const GoTime& time, bool is_micro) {
  const auto day = std::chrono::floor<std::chrono::days>(time.at);
  const std::chrono::year_month_day date(day);
  const auto seconds = (time.at - day).count();
  std::string text = padded(int{date.year()}, 4) + "-" + padded(unsigned{date.month()}, 2) + "-" +
                     padded(unsigned{date.day()}, 2) + "T" + padded(seconds / 3600, 2) + ":" +
                     padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2);
  if (is_micro) text += "." + padded(time.nanoseconds / 1000, 6);
  return text + "Z";
}

}  // namespace keelson::sandbox
