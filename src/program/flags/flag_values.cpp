#include "src/program/flags/flag_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "keelson/base/go_text.hpp"
#include "keelson/base/hex.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"

namespace keelson::program {

namespace {

Error parse_error() { return invalid_error("parse error"); }
Error range_error() { return invalid_error("value out of range"); }

// Takes the base's prefix off the front of unsigned digits.
int take_base(std::string_view& digits) {
  if (digits.empty() || digits[0] != '0') return 10;
  auto letter = digits.size() >= 3 ? base::to_lower(digits.substr(1, 1)) : std::string();
  auto taken = std::size_t{letter == "b" || letter == "o" || letter == "x" ? 2u : 1u};
  digits.remove_prefix(taken);
  return letter == "b" ? 2 : letter == "x" ? 16 : 8;
}

bool is_hex_digit(char c) { return base::hex_value(c) >= 0; }

// Underscores are valid between digits, and between the prefix of a base and a digit.
bool underscores_are_placed_well(std::string_view unsigned_text) {
  bool prefixed = unsigned_text.size() >= 2 && unsigned_text[0] == '0' && !is_hex_digit(unsigned_text[1]) &&
                  unsigned_text[1] != '_';
  bool after_digit = prefixed;
  for (std::size_t i = prefixed ? 2 : 0; i < unsigned_text.size(); ++i) {
    if (unsigned_text[i] == '_' && !after_digit) return false;
    after_digit = unsigned_text[i] != '_';
  }
  return after_digit;
}

// from_chars accepts a minus sign and stops at the first invalid character: both are errors here.
Result<std::uint64_t> parse_magnitude(std::string_view digits, int base) {
  if (digits.empty()) return std::uint64_t{0};
  if (!is_hex_digit(digits[0])) return parse_error();
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range) return range_error();
  if (error != std::errc() || end != digits.data() + digits.size()) return parse_error();
  return value;
}

bool take_minus(std::string_view& text) {
  bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return negative;
}

// A DNS-1123 label: the form of names of namespaces and Services.
bool is_dns_label(std::string_view name) {
  auto is_alnum = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || name.size() > 63 || !is_alnum(name.front()) || !is_alnum(name.back())) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return is_alnum(c) || c == '-'; });
}

constexpr auto kTimeEncodings = std::to_array<std::pair<std::string_view, LogOptions::TimeEncoding>>(
    {{"epoch", LogOptions::TimeEncoding::kEpoch},
     {"millis", LogOptions::TimeEncoding::kMillis},
     {"nanos", LogOptions::TimeEncoding::kNanos},
     {"iso8601", LogOptions::TimeEncoding::kIso8601},
     {"rfc3339", LogOptions::TimeEncoding::kRfc3339},
     {"rfc3339nano", LogOptions::TimeEncoding::kRfc3339Nano}});

}  // namespace

Result<bool> parse_bool_flag(std::string_view text) {
  constexpr auto kTrue = std::to_array<std::string_view>({"1", "t", "T", "TRUE", "true", "True"});
  constexpr auto kFalse = std::to_array<std::string_view>({"0", "f", "F", "FALSE", "false", "False"});
  if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) return false;
  return parse_error();
}

Result<std::int64_t> parse_int_flag(std::string_view text) {
  bool negative = take_minus(text);
  if (text.empty() || !underscores_are_placed_well(text)) return parse_error();
  auto digits = text;
  int base = take_base(digits);
  std::string plain(digits);
  std::erase(plain, '_');
  KEELSON_LET(auto magnitude, parse_magnitude(plain, base));
  auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  if (magnitude > limit) return range_error();
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text) {
  auto value = base::parse_go_duration(text);
  if (!value) return parse_error();
  return *value;
}

Result<std::vector<std::string>> parse_namespaces(std::string_view text) {
  std::vector<std::string> names;
  for (auto name : split_list(text)) {
    if (!is_dns_label(name)) return invalid_error("invalid namespace name " + base::quote_go(name));
    names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<std::string> parse_service_name(std::string_view text) {
  if (!is_dns_label(text)) return invalid_error("invalid Service name " + base::quote_go(text));
  return std::string(text);
}

Result<LogOptions::Encoder> parse_zap_encoder(std::string_view text) {
  auto word = base::to_lower(text);
  if (word == "json") return LogOptions::Encoder::kJson;
  if (word == "console") return LogOptions::Encoder::kConsole;
  return invalid_error("invalid encoder value \"" + std::string(text) + "\"");
}

Result<int> parse_zap_log_level(std::string_view text) {
  constexpr auto kLevels =
      std::to_array<std::pair<std::string_view, int>>({{"debug", 1}, {"info", 0}, {"error", -1}, {"panic", -2}});
  auto word = base::to_lower(text);
  for (const auto& [name, verbosity] : kLevels) {
    if (word == name) return verbosity;
  }
  auto digits = text;
  bool negative = take_minus(digits);
  int level = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), level);
  bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && !negative && level > 0) return level;
  return invalid_error("invalid log level \"" + std::string(text) + "\"");
}

Result<void> check_zap_stacktrace_level(std::string_view text) {
  auto word = base::to_lower(text);
  if (word == "info" || word == "error" || word == "panic") return {};
  return invalid_error("invalid stacktrace level \"" + std::string(text) + "\"");
}

Result<LogOptions::TimeEncoding> parse_zap_time_encoding(std::string_view text) {
  auto word = base::to_lower(text);
  for (const auto& [name, encoding] : kTimeEncodings) {
    if (word == name) return encoding;
  }
  return invalid_error("invalid time-encoding value \"" + std::string(text) + "\"");
}

std::string_view name_of(LogOptions::TimeEncoding encoding) {
  for (const auto& [name, known] : kTimeEncodings) {
    if (known == encoding) return name;
  }
  return "";
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    auto comma = std::min(text.find(','), text.size());
    auto part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    auto first = std::min(part.find_first_not_of(" \t"), part.size());
    part.remove_prefix(first);
    part = part.substr(0, part.find_last_not_of(" \t") + 1);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace keelson::program
