#include "src/metrics/proc_files.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "keelson/detail/base/parse_number.hpp"

namespace keelson::metrics {

namespace {

// Removes the part before the separator from the front of `text`.
std::string_view take_until(std::string_view& text, char separator) {
  auto end = std::min(text.find(separator), text.size());
  auto taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> all;
  while (!line.empty()) {
    auto word = take_until(line, ' ');
    if (!word.empty()) all.push_back(word);
  }
  return all;
}

// The lines that start with `prefix`, without the prefix.
std::vector<std::string_view> lines_after(std::string_view text, std::string_view prefix) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    auto line = take_until(text, '\n');
    if (line.starts_with(prefix)) all.push_back(line.substr(prefix.size()));
  }
  return all;
}

std::optional<double> number(std::string_view text) {
  const auto value = base::parse_number<std::uint64_t>(text);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

}  // namespace

std::optional<ProcStat> parse_proc_stat(std::string_view text) {
  // The second field is the program's name in parentheses, which may contain spaces and parentheses.
  auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  auto fields = words(text.substr(name_end + 1));
  // proc(5) counts from 1, and `fields` starts with the third.
  auto field = [&](std::size_t n) { return n - 3 < fields.size() ? number(fields[n - 3]) : std::nullopt; };
  auto user = field(14), system = field(15), start = field(22), bytes = field(23), pages = field(24);
  if (!user || !system || !start || !bytes || !pages) return std::nullopt;
  constexpr double kTicksPerSecond = 100;
  return ProcStat{(*user + *system) / kTicksPerSecond, *start / kTicksPerSecond, *bytes, *pages};
}

std::optional<double> parse_soft_limit(std::string_view text, std::string_view name) {
  auto lines = lines_after(text, name);
  if (lines.empty()) return std::nullopt;
  auto columns = words(lines[0]);
  if (columns.empty()) return std::nullopt;
  if (columns[0] == "unlimited") return static_cast<double>(~std::uint64_t{0});
  return number(columns[0]);
}

std::optional<double> parse_ip_ext(std::string_view text, std::string_view column) {
  auto lines = lines_after(text, "IpExt:");
  if (lines.size() != 2) return std::nullopt;
  auto names = words(lines[0]);
  auto values = words(lines[1]);
  auto at = static_cast<std::size_t>(std::ranges::find(names, column) - names.begin());
  if (at >= names.size() || at >= values.size()) return std::nullopt;
  return number(values[at]);
}

std::optional<double> parse_memory_limit(std::string_view text) { return number(text.substr(0, text.find('\n'))); }

std::optional<double> parse_boot_time(std::string_view text) {
  auto lines = lines_after(text, "btime ");
  return lines.empty() ? std::nullopt : number(lines[0]);
}

}  // namespace keelson::metrics
