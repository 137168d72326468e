// The POSIX TZ string at the end of a TZif file: names, offsets (positive to the west) and two rules.
#include <cctype>
#include <charconv>
#include <string_view>

#include "tools/zone_compiler/tzif.hpp"

namespace keelson::cron {

namespace {

class FooterReader {
 public:
  explicit FooterReader(std::string_view text) : whole_(text), text_(text) {}

  bool done() const { return text_.empty(); }
  char peek() const { return text_.empty() ? '\0' : text_.front(); }
  bool accept(char c) {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  [[noreturn]] void fail() const { give_up("cannot parse the footer: " + std::string(whole_)); }

  void skip_name() {
    const auto before = text_.size();
    if (accept('<')) {
      while (!done() && peek() != '>') text_.remove_prefix(1);
      expect('>');
    } else {
      while (std::isalpha(static_cast<unsigned char>(peek())) != 0) text_.remove_prefix(1);
    }
    if (before - text_.size() < 3) fail();
  }
  int number() {
    int value = 0;
    const auto [end, failure] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (failure != std::errc() || end == text_.data() || peek() == '-') fail();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }
  // "-9:30", "26": hours, minutes, seconds.
  std::int32_t seconds() {
    const bool negative = accept('-');
    if (!negative) accept('+');
    int value = number() * 3600;
    if (accept(':')) value += number() * 60;
    if (accept(':')) value += number();
    return negative ? -value : value;
  }
  YearRule rule() {
    YearRule rule;
    if (accept('M')) {
      rule.month = static_cast<std::uint8_t>(number());
      expect('.');
      rule.week = static_cast<std::uint8_t>(number());
      expect('.');
      rule.weekday = static_cast<std::uint8_t>(number());
      if (rule.month < 1 || rule.month > 12 || rule.week < 1 || rule.week > 5 || rule.weekday > 6) fail();
    } else {
      rule.kind = accept('J') ? YearRule::Kind::kSameInYear : YearRule::Kind::kDayOfYear;
      rule.day = static_cast<std::uint16_t>(number());
    }
    rule.time = accept('/') ? seconds() : 2 * 3600;
    return rule;
  }

 private:
  std::string_view whole_;
  std::string_view text_;
};

}  // namespace

void read_footer(const std::string& footer, CompiledZone& zone) {
  FooterReader in(footer);
  in.skip_name();
  zone.tail.standard = -in.seconds();
  if (in.done()) {
    const auto last = zone.changes.empty() ? zone.offset_before : zone.changes.back().offset;
    if (last != zone.tail.standard) give_up("the footer contradicts the last change: " + footer);
    zone.tail = {};
    return;
  }
  in.skip_name();
  zone.tail.daylight = in.peek() == ',' ? zone.tail.standard + 3600 : -in.seconds();
  in.expect(',');
  zone.tail.to_daylight = in.rule();
  in.expect(',');
  zone.tail.to_standard = in.rule();
  if (!in.done()) in.fail();
  zone.has_tail = true;
}

}  // namespace keelson::cron
