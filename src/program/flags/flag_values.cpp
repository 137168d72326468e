#include "src/program/flags/flag_values.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/values.hpp"

namespace keelson::program {

namespace {

// A DNS-1123 label: the form of names of namespaces and Services.
bool is_dns_label(std::string_view name) {
  auto is_alnum = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || name.size() > 63 || !is_alnum(name.front()) || !is_alnum(name.back())) return false;
  return std::ranges::all_of(name, [&](char c) { return is_alnum(c) || c == '-'; });
}

constexpr auto kTimeEncodings = std::to_array<std::pair<std::string_view, LogOptions::TimeEncoding>>(
    {{"epoch", LogOptions::TimeEncoding::kEpoch},
     {"millis", LogOptions::TimeEncoding::kMillis},
     {"nanos", LogOptions::TimeEncoding::kNanos},
     {"iso8601", LogOptions::TimeEncoding::kIso8601},
     {"rfc3339", LogOptions::TimeEncoding::kRfc3339},
     {"rfc3339nano", LogOptions::TimeEncoding::kRfc3339Nano}});

}  // namespace

Result<std::vector<std::string>> parse_namespaces(std::string_view text) {
  std::vector<std::string> names;
  for (auto name : cli::split_list(text)) {
    if (!is_dns_label(name)) return invalid_error("invalid namespace name " + base::quote_go(name));
    names.emplace_back(name);
  }
  std::ranges::sort(names);
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
  const auto level = base::parse_number<int>(text.substr(text.starts_with('+') ? 1 : 0));
  if (level && *level > 0) return *level;
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

}  // namespace keelson::program
