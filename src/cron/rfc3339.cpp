// parse_rfc3339: "2006-01-02T15:04:05Z", with any fraction and offset.
#include <optional>

#include "keelson/base/go_text.hpp"
#include "keelson/cron/zone.hpp"
#include "src/cron/civil.hpp"

namespace keelson::cron {

namespace {

class Text {
 public:
  explicit Text(std::string_view text) : text_(text) {}

  bool accept(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Reads a number of exactly `digits` digits, from `min` to `max`; otherwise the whole text is invalid.
  int number(std::size_t digits, int min, int max) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      good_ = good_ && !text_.empty() && text_.front() >= '0' && text_.front() <= '9';
      if (!good_) return min;
      value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    good_ = good_ && value >= min && value <= max;
    return good_ ? value : min;
  }
  void expect(char c) { good_ = accept(c) && good_; }
  void skip_fraction() {
    if (!accept('.') && !accept(',')) return;
    number(1, 0, 9);
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') text_.remove_prefix(1);
  }
  bool is_read_and_good() const { return good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool good_ = true;
};

std::optional<std::int64_t> read(Text text) {
  const int year = text.number(4, 0, 9999);
  text.expect('-');
  const auto month = static_cast<unsigned>(text.number(2, 1, 12));
  text.expect('-');
  const auto day = static_cast<unsigned>(text.number(2, 1, static_cast<int>(days_in_month(year, month))));
  text.expect('T');
  const int hour = text.number(2, 0, 23);
  text.expect(':');
  const int minute = text.number(2, 0, 59);
  text.expect(':');
  const int second = text.number(2, 0, 59);
  text.skip_fraction();
  std::int64_t offset = 0;
  if (!text.accept('Z')) {
    const int sign = text.accept('-') ? -1 : 1;
    if (sign > 0) text.expect('+');
    const int hours = text.number(2, 0, 24);
    text.expect(':');
    offset = sign * (hours * kHour + text.number(2, 0, 60) * kMinute);
  }
  if (!text.is_read_and_good()) return std::nullopt;
  return days_until(year, month, day) * kDay + hour * kHour + minute * kMinute + second - offset;
}

}  // namespace

Result<std::chrono::sys_seconds> parse_rfc3339(std::string_view text) {
  const auto time = read(Text(text));
  if (!time) return invalid("parsing time " + base::quote_go(text) + ": not of the form 2006-01-02T15:04:05Z");
  return std::chrono::sys_seconds(std::chrono::seconds(*time));
}

}  // namespace keelson::cron
