#include "src/base/log_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/utf8.hpp"

namespace keelson::base {

namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr std::string_view kReplacement = "\\ufffd";

void append_json_rune(std::string& out, std::string_view bytes) {
  char c = bytes[0];
  if (c == '"' || c == '\\') {
    out.push_back('\\');
    out.push_back(c);
  } else if (c == '\n') {
    out.append("\\n");
  } else if (c == '\r') {
    out.append("\\r");
  } else if (c == '\t') {
    out.append("\\t");
  } else if (static_cast<unsigned char>(c) < 0x20) {
    out.append("\\u00");
    append_hex(out, static_cast<unsigned char>(c), 2);
  } else {
    out.append(bytes);
  }
}

// ".123456789" cut to `digits` places.
std::string fraction(std::chrono::nanoseconds below_second, std::size_t digits) {
  std::array<char, 24> buffer;
  std::snprintf(buffer.data(), buffer.size(), ".%09lld", static_cast<long long>(below_second.count()));
  return std::string(buffer.data()).substr(0, digits + 1);
}

// "2006-01-02T15:04:05", the fraction that the encoding requires, and "Z".
std::string calendar_time(LogOptions::WallTime when, LogOptions::TimeEncoding encoding) {
  auto second = std::chrono::floor<std::chrono::seconds>(when);
  auto text = format_rfc3339(second);
  text.pop_back();  // "Z"
  if (encoding == LogOptions::TimeEncoding::kIso8601) text += fraction(when - second, 3);
  if (encoding == LogOptions::TimeEncoding::kRfc3339Nano) {
    auto nine = fraction(when - second, 9);
    nine.erase(nine.find_last_not_of('0') + 1);
    if (nine != ".") text += nine;
  }
  return text + "Z";
}

}  // namespace

std::string log_json_string(std::string_view text, std::size_t limit) {
  std::string out = "\"";
  out.reserve(std::min(text.size(), limit) + 2);
  while (!text.empty()) {
    if (out.size() >= limit) {
      out.append(kEllipsis);
      break;
    }
    auto bytes = first_rune(text).bytes;
    if (bytes == 0) {
      out.append(kReplacement);
    } else {
      append_json_rune(out, text.substr(0, bytes));
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  out.push_back('"');
  return out;
}

std::string log_plain_text(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty() && out.size() < limit) {
    auto bytes = first_rune(text).bytes;
    if (bytes == 0) {
      out.append("\ufffd");
    } else if (static_cast<unsigned char>(text[0]) < 0x20) {
      out.push_back(' ');
    } else {
      out.append(text.substr(0, bytes));
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  if (!text.empty()) out.append(kEllipsis);
  return out;
}

std::string log_time(LogOptions::WallTime when, LogOptions::TimeEncoding encoding, LogOptions::Encoder encoder) {
  using Encoding = LogOptions::TimeEncoding;
  auto nanoseconds = when.time_since_epoch().count();
  bool json = encoder == LogOptions::Encoder::kJson;
  if (encoding == Encoding::kNanos) return std::to_string(nanoseconds);
  if (encoding == Encoding::kEpoch || encoding == Encoding::kMillis) {
    double number = static_cast<double>(nanoseconds) / (encoding == Encoding::kEpoch ? 1e9 : 1e6);
    return json ? format_go_fixed(number) : format_go_number(number);
  }
  auto text = calendar_time(when, encoding);
  return json ? '"' + text + '"' : text;
}

}  // namespace keelson::base
