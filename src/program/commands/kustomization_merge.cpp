#include "src/program/commands/kustomization_merge.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "keelson/detail/base/text.hpp"

namespace keelson::program {

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_blank_or_comment(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#';
}

// "bases/x.yaml" for "  - bases/x.yaml  # why", commented out or not; nullopt for another line.
std::optional<std::string_view> entry_of(std::string_view line) {
  const auto dash = line.find_first_not_of(" \t#");
  if (dash == std::string_view::npos || !line.substr(dash).starts_with("- ")) return std::nullopt;
  auto entry = line.substr(dash + 2);
  entry = entry.substr(0, entry.find(" #"));
  const auto first = std::min(entry.find_first_not_of(" \t\"'"), entry.size());
  const auto last = entry.find_last_not_of(" \t\r\"'");
  return entry.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
}

Lines missing_entries(const Lines& existing, const Lines& generated) {
  Lines missing;
  for (const auto& line : generated) {
    if (!line.starts_with("- ")) continue;
    const auto entry = entry_of(line);
    const bool is_there = std::ranges::any_of(existing, [&](const auto& other) { return entry_of(other) == entry; });
    if (!is_there) missing.emplace_back(*entry);
  }
  return missing;
}

}  // namespace

Result<std::string> merge_kustomization(std::string_view existing, std::string_view generated) {
  auto lines = lines_of(existing);
  const auto missing = missing_entries(lines, lines_of(generated));
  if (missing.empty()) return std::string(existing);

  auto heading = std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("resources:"); });
  if (heading == lines.end()) heading = lines.insert(lines.end(), "resources:");
  const auto value = std::string_view(*heading).substr(std::string_view("resources:").size());
  const bool is_empty_list = value.find_first_not_of(" []\t\r") == std::string_view::npos;
  if (!is_empty_list && !is_blank_or_comment(value)) {
    return invalid_error("`resources` is written on one line: add " + base::join(missing, ", ") + " to it by hand");
  }
  if (value.find('[') != std::string_view::npos) *heading = "resources:";

  std::string indent;
  auto last = heading;
  for (auto line = heading + 1; line != lines.end(); ++line) {
    const auto dash = line->find_first_not_of(" \t");
    const bool is_item = dash != std::string::npos && line->compare(dash, 2, "- ") == 0;
    if (!is_item && !is_blank_or_comment(*line)) break;
    if (!is_item) continue;
    last = line;
    indent = line->substr(0, dash);
  }
  Lines added;
  for (const auto& entry : missing) added.push_back(indent + "- " + entry);
  lines.insert(last + 1, added.begin(), added.end());
  return base::join(lines, "\n") + "\n";
}

}  // namespace keelson::program
