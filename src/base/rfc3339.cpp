#include "keelson/detail/base/rfc3339.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "keelson/detail/base/text.hpp"

namespace keelson::base {

namespace {

// Reads from the front. The first mismatch drops the rest of the text, so that all that is read later ends at once.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool accept(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(std::string_view any_of) {
    if (!accept(any_of)) fail();
  }
  // Reads a number of exactly `digits` digits, from `least` to `most`.
  int number(std::size_t digits, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + digit();
    if (value < least || value > most) fail();
    return is_good_ ? value : least;
  }
  std::chrono::nanoseconds fraction() {
    if (!accept(".,")) return std::chrono::nanoseconds(0);
    std::int64_t unit = 100'000'000;
    std::int64_t nanoseconds = unit * digit();
    while (!rest_.empty() && is_digit(rest_.front())) nanoseconds += (unit /= 10) * digit();
    return std::chrono::nanoseconds(nanoseconds);
  }
  std::chrono::seconds offset() {
    if (accept("Zz")) return std::chrono::seconds(0);
    const int sign = accept("-") ? -1 : 1;
    if (sign > 0) expect("+");
    const auto hours = number(2, 0, 24);
    expect(":");
    return sign * (std::chrono::hours(hours) + std::chrono::minutes(number(2, 0, 60)));
  }
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

 private:
  int digit() {
    if (rest_.empty() || !is_digit(rest_.front())) {
      fail();
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }
  void fail() {
    is_good_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace

std::optional<Rfc3339Time> parse_rfc3339(std::string_view text) {
  Reader reader(text);
  const std::chrono::year year(reader.number(4, 0, 9999));
  reader.expect("-");
  const std::chrono::month month(static_cast<unsigned>(reader.number(2, 1, 12)));
  reader.expect("-");
  const std::chrono::year_month_day date(year, month, std::chrono::day(static_cast<unsigned>(reader.number(2, 1, 31))));
  reader.expect("Tt");
  const std::chrono::hours hour(reader.number(2, 0, 23));
  reader.expect(":");
  const std::chrono::minutes minute(reader.number(2, 0, 59));
  reader.expect(":");
  const std::chrono::seconds second(reader.number(2, 0, 59));
  const auto fraction = reader.fraction();
  const auto offset = reader.offset();
  if (!reader.is_good() || !reader.is_at_end() || !date.ok()) return std::nullopt;
  return Rfc3339Time{std::chrono::sys_days(date) + hour + minute + second - offset, fraction};
}

std::string format_rfc3339(std::chrono::sys_seconds time, std::chrono::seconds offset) {
  const auto local = time + offset;
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(local - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d", int{date.year()}, unsigned{date.month()},
                unsigned{date.day()}, static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return text.data() + (offset.count() == 0 ? "Z" : format_utc_offset(offset, ":"));
}

std::string format_utc_offset(std::chrono::seconds offset, const char* separator) {
  const auto minutes = static_cast<int>(offset.count() / 60);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%c%02d%s%02d", minutes < 0 ? '-' : '+', std::abs(minutes) / 60, separator,
                std::abs(minutes) % 60);
  return text.data();
}

}  // namespace keelson::base
