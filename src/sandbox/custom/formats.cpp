#include "src/sandbox/custom/formats.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cel/pattern.hpp"
#include "keelson/detail/cel/url.hpp"

namespace keelson::sandbox {

namespace {

// The API server treats "date-time" and "datetime" alike.
std::string normal_format(std::string_view format) {
  std::string name(format);
  if (!name.starts_with("k8s-")) std::erase(name, '-');
  return name;
}

const std::set<std::string, std::less<>>& string_formats() {
  static const std::set<std::string, std::less<>> formats{
      "bsonobjectid", "uri",        "email",    "hostname",       "ipv4",         "ipv6", "cidr",
      "mac",          "uuid",       "uuid3",    "uuid4",          "uuid5",        "isbn", "isbn10",
      "isbn13",       "creditcard", "ssn",      "hexcolor",       "rgbcolor",     "byte", "password",
      "date",         "duration",   "datetime", "k8s-short-name", "k8s-long-name"};
  return formats;
}

// The formats that are regular expressions.
const std::map<std::string, cel::Pattern, std::less<>>& format_patterns() {
  static const auto patterns = [] {
    // \p{S} and \p{L} with all characters that are not ASCII: their tables would make this pattern 250,000
    // instructions.
    const std::string letter = R"(a-zA-Z$+<=>^`|~\x{80}-\x{10FFFF})";
    const std::string start = "[0-9" + letter + "]";
    const std::pair<const char*, std::string> rows[] = {
        {"bsonobjectid", "^[0-9a-fA-F]{24}$"},
        {"hostname", "^(" + start + "((-?" + start + "{0,62})?)|(" + start + "(([-0-9" + letter + "]{0,61}" + start +
                         R"()?)(\.)){1,}([a-zA-Z\x{80}-\x{10FFFF}]){2,63})$)"},
        {"uuid", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"},
        {"uuid3", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$"},
        {"uuid4", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"},
        {"uuid5", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"},
        {"ssn", R"(^\d{3}[- ]?\d{2}[- ]?\d{4}$)"},
        {"hexcolor", "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
        {"mac",
         "^([0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){7}|[0-9A-Fa-f]{2}(-[0-9A-Fa-f]{2}){5}|"
         "[0-9A-Fa-f]{2}(-[0-9A-Fa-f]{2}){7}|[0-9A-Fa-f]{4}([.][0-9A-Fa-f]{4}){2}|[0-9A-Fa-f]{4}([.][0-9A-Fa-f]{4}){3})"
         "$"},
        {"email", R"(^([^<>@]*<)?[^@\s<>]+@[^@\s<>]+>?$)"},
        {"k8s-short-name", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},
        {"k8s-long-name", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"},
    };
    std::map<std::string, cel::Pattern, std::less<>> made;
    for (const auto& [name, text] : rows) {
      if (auto pattern = cel::Pattern::compile(text)) made.emplace(name, *pattern);
    }
    return made;
  }();
  return patterns;
}

std::size_t most_bytes(std::string_view format) {
  return format == "k8s-short-name" ? 63 : format == "hostname" || format == "k8s-long-name" ? 255 : 4096;
}

bool is_date(std::string_view text) {
  bool fits = text.size() == 10 && text[4] == '-' && text[7] == '-';
  for (std::size_t i = 0; fits && i < text.size(); ++i) fits = i == 4 || i == 7 || base::is_digit(text[i]);
  if (!fits) return false;
  auto number = [text](std::size_t at, std::size_t size) {
    return base::parse_number<int>(text.substr(at, size)).value_or(0);
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return day.ok();
}

bool is_date_time(std::string_view text) {
  auto t = text.find_first_of("tT");
  if (t == std::string_view::npos || !is_date(text.substr(0, t))) return false;
  static const auto clock =
      cel::Pattern::compile("^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?([zZ]|([+-][0-9]{2}:[0-9]{2}))$");
  std::size_t steps = 100'000;
  return clock && clock->matches(text.substr(t + 1), steps).value_or(false);
}

// Go's durations, and those of Scala: "3 days".
bool is_duration(std::string_view text) {
  if (base::parse_go_duration(text)) return true;
  static const auto scala = cel::Pattern::compile(
      R"((?i)\d+\s*(ns([^a-zµ]|$)|nano|us([^a-zµ]|$)|µs([^a-zµ]|$)|micro|ms([^a-zµ]|$)|milli|s([^a-zµ]|$)|sec|m([^a-zµ]|$)|min|h([^a-zµ]|$)|hr([^a-zµ]|$)|hour|d([^a-zµ]|$)|day|w([^a-zµ]|$)|wk([^a-zµ]|$)|week))");
  std::size_t steps = 1'000'000;
  return scala && scala->matches(text, steps).value_or(false);
}

bool is_byte(std::string_view text) {
  auto is_inner = [](char c) {
    return base::is_digit(c) || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || c == '+' || c == '/';
  };
  if (text.empty() || text.size() % 4 != 0) return false;
  for (int i = 0; i < 2 && text.back() == '='; ++i) text.remove_suffix(1);
  return std::ranges::all_of(text, is_inner);
}

bool is_address(int family, std::string_view text) {
  std::array<unsigned char, 16> buffer{};
  return text.size() < 64 && inet_pton(family, std::string(text).c_str(), buffer.data()) == 1;
}

// With leading zeros in its numbers, which the API server accepts here.
bool is_ipv4(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_first = i == 0 || text[i - 1] == '.' || plain.empty() || plain.back() == '.';
    const bool is_leading_zero = text[i] == '0' && is_first && i + 1 < text.size() && base::is_digit(text[i + 1]);
    if (!is_leading_zero) plain += text[i];
  }
  return is_address(AF_INET, plain);
}

bool is_cidr(std::string_view text) {
  auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return false;
  const auto size = base::parse_number<unsigned>(text.substr(slash + 1));
  if (!size) return false;
  auto address = text.substr(0, slash);
  return (*size <= 32 && is_ipv4(address)) || (*size <= 128 && is_address(AF_INET6, address));
}

}  // namespace

std::string checked_format(std::string_view type, const std::string& format) {
  if (type == "integer") return format == "int32" || format == "int64" ? format : "";
  if (type == "number") return format == "float" || format == "double" ? format : "";
  const bool is_text = type.empty() || type == "string" || type == "integer,string";
  return is_text && string_formats().contains(normal_format(format)) ? format : "";
}

bool has_format(std::string_view text, std::string_view format) {
  auto name = normal_format(format);
  if (auto found = format_patterns().find(name); found != format_patterns().end()) {
    std::size_t steps = 10'000'000;
    return text.size() <= most_bytes(name) && found->second.matches(text, steps).value_or(false);
  }
  if (name == "date") return is_date(text);
  if (name == "datetime") return is_date_time(text);
  if (name == "duration") return is_duration(text);
  if (name == "byte") return is_byte(text);
  if (name == "ipv4") return is_ipv4(text);
  if (name == "ipv6") return is_address(AF_INET6, text);
  if (name == "cidr") return is_cidr(text);
  if (name == "uri") return cel::parse_request_url(text).has_value();
  return true;
}

}  // namespace keelson::sandbox
