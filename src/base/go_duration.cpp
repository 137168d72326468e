#include <array>
#include <cstdint>
#include <limits>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"

#include "keelson/detail/base/text.hpp"

namespace keelson::base {

namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 63;

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
// Both of Unicode's micro signs, U+00B5 and U+03BC.
constexpr std::array<Unit, 8> kUnits{{{"ns", 1},
                                      {"us", 1000},
                                      {"\u00b5s", 1000},
                                      {"\u03bcs", 1000},
                                      {"ms", 1000000},
                                      {"s", 1000000000},
                                      {"m", 60000000000},
                                      {"h", 3600000000000}}};

// Go's package time quotes differently from strconv: it writes every byte beyond ASCII in hex.
std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < 0x20) {
      out.append("\\x");
      append_hex(out, byte, 2);
      continue;
    }
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

// Removes digits from the front; false if the number does not fit.
bool take_integer(std::string_view& text, std::uint64_t& value) {
  for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
    if (value > kLargest / 10) return false;
    value = value * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (value > kLargest) return false;
  }
  return true;
}

struct Fraction {
  std::uint64_t digits = 0;
  double scale = 1;
};

// Digits that no longer fit are dropped, because they are too small to matter.
Fraction take_fraction(std::string_view& text) {
  Fraction fraction;
  bool full = false;
  for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
    if (full) continue;
    full = fraction.digits > (kLargest - 1) / 10;
    if (full) continue;
    auto next = fraction.digits * 10 + static_cast<std::uint64_t>(text[0] - '0');
    full = next > kLargest;
    if (full) continue;
    fraction.digits = next;
    fraction.scale *= 10;
  }
  return fraction;
}

std::string_view take_unit(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] != '.' && !is_digit(text[length])) ++length;
  auto unit = text.substr(0, length);
  text.remove_prefix(length);
  return unit;
}

// Removes a term such as "1.5h" from the front of `text` and adds it to `total`. The caller appends the whole text to
// the error.
Result<void> take_term(std::string_view& text, std::uint64_t& total) {
  auto overall = invalid_error("time: invalid duration ");
  if (text[0] != '.' && !is_digit(text[0])) return overall;
  auto before = text.size();
  std::uint64_t value = 0;
  if (!take_integer(text, value)) return overall;
  bool has_digits = text.size() != before;
  Fraction fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    before = text.size();
    fraction = take_fraction(text);
    has_digits = has_digits || text.size() != before;
  }
  if (!has_digits) return overall;

  auto name = take_unit(text);
  if (name.empty()) return invalid_error("time: missing unit in duration ");
  std::uint64_t unit = 0;
  for (const auto& known : kUnits) {
    if (known.name == name) unit = known.nanoseconds;
  }
  if (unit == 0) return invalid_error("time: unknown unit " + quote(name) + " in duration ");
  if (value > kLargest / unit) return overall;
  value *= unit;
  if (fraction.digits > 0) {
    value +=
        static_cast<std::uint64_t>(static_cast<double>(fraction.digits) * (static_cast<double>(unit) / fraction.scale));
    if (value > kLargest) return overall;
  }
  total += value;
  if (total > kLargest) return overall;
  return {};
}

// "1.5" of 1500 with 3 decimals: the fraction without its trailing zeros.
std::string decimal(std::uint64_t value, int decimals) {
  std::string fraction;
  for (int i = 0; i < decimals; ++i, value /= 10) {
    auto digit = static_cast<char>('0' + value % 10);
    if (digit != '0' || !fraction.empty()) fraction.insert(fraction.begin(), digit);
  }
  return fraction.empty() ? std::to_string(value) : std::to_string(value) + "." + fraction;
}

}  // namespace

Result<std::chrono::nanoseconds> parse_go_duration(std::string_view text) {
  auto rest = text;
  bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  if (rest == "0") return std::chrono::nanoseconds(0);
  if (rest.empty()) return invalid_error("time: invalid duration " + quote(text));
  std::uint64_t total = 0;
  while (!rest.empty()) {
    auto taken = take_term(rest, total);
    if (!taken) return invalid_error(taken.error().text + quote(text));
  }
  if (negative) return std::chrono::nanoseconds(static_cast<std::int64_t>(0 - total));
  if (total > kLargest - 1) return invalid_error("time: invalid duration " + quote(text));
  return std::chrono::nanoseconds(static_cast<std::int64_t>(total));
}

std::string format_go_duration(std::chrono::nanoseconds duration) {
  auto count = duration.count();
  if (count == 0) return "0s";
  std::string sign = count < 0 ? "-" : "";
  auto left = count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  if (left < 1000) return sign + std::to_string(left) + "ns";
  if (left < 1000000) return sign + decimal(left, 3) + "\u00b5s";
  if (left < 1000000000) return sign + decimal(left, 6) + "ms";
  constexpr std::uint64_t kMinute = 60000000000;
  auto minutes = left / kMinute;
  auto seconds = decimal(left % kMinute, 9) + "s";
  if (minutes == 0) return sign + seconds;
  if (minutes < 60) return sign + std::to_string(minutes) + "m" + seconds;
  return sign + std::to_string(minutes / 60) + "h" + std::to_string(minutes % 60) + "m" + seconds;
}

}  // namespace keelson::base
