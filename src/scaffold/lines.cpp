#include "src/scaffold/lines.hpp"

#include <algorithm>

#include "keelson/base/text.hpp"

namespace keelson::scaffold {

namespace {

// Ends as `before` ends: with or without a line break.
std::string join_lines(const std::vector<std::string>& lines, std::string_view before) {
  std::string out;
  for (const auto& line : lines) out += line + "\n";
  if (!before.empty() && !before.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

bool is_key(std::string_view line) {
  return !line.empty() && line.front() >= 'a' && line.front() <= 'z' && line.ends_with(':');
}

bool is_commented_yaml(std::string_view line) {
  return line.starts_with("#-") || line.starts_with("#  ") || (line.starts_with('#') && is_key(line.substr(1)));
}

bool is_block_line(std::string_view line) {
  return is_commented_yaml(line) || line.starts_with("- ") || line.starts_with("  ");
}

// Calls `change` for each line of the blocks of the tag: the lines of YAML that follow its comment, up to the next
// comment of prose, empty line or key. Only the first line of a block can be a key of the file.
template <class Change>
std::string change_blocks(std::string_view text, std::string_view tag, const Change& change) {
  const auto head = "# [" + std::string(tag) + "]";
  auto lines = split_lines(text);
  enum class Place { kElsewhere, kComment, kBlock } place = Place::kElsewhere;
  for (auto& line : lines) {
    if (line.starts_with(head)) {
      place = Place::kComment;
    } else if (place != Place::kElsewhere && (is_block_line(line) || (place == Place::kComment && is_key(line)))) {
      place = Place::kBlock;
      change(line);
    } else if (place == Place::kBlock || !line.starts_with("# ")) {
      place = Place::kElsewhere;
    }
  }
  return join_lines(lines, text);
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Result<std::string> insert_at_marker(std::string_view text, std::string_view path, std::string_view name,
                                     std::string_view line) {
  const auto marker = "+scaffold:" + std::string(name);
  auto lines = split_lines(text);
  const auto is_same = [&](const std::string& other) { return base::trim(other) == line; };
  if (std::any_of(lines.begin(), lines.end(), is_same)) return std::string(text);
  const auto is_marker = [&](const std::string& other) {
    const auto comment = base::trim(other);
    return comment == "// " + marker || comment == "# " + marker;
  };
  const auto place = std::find_if(lines.begin(), lines.end(), is_marker);
  if (place == lines.end()) {
    return invalid_error(std::string(path) + " has no comment \"" + marker + "\", above which this line belongs: " +
                         std::string(line) + "\nInsert the comment or the line, and run the command again");
  }
  lines.insert(place, place->substr(0, place->find_first_not_of(" \t")) + std::string(line));
  return join_lines(lines, text);
}

std::string without_line(std::string_view text, std::string_view line) {
  auto lines = split_lines(text);
  std::erase_if(lines, [&](const std::string& other) { return base::trim(other) == line; });
  return join_lines(lines, text);
}

std::string enable_blocks(std::string_view text, std::string_view tag) {
  return change_blocks(text, tag, [](std::string& line) {
    if (is_commented_yaml(line)) line.erase(0, 1);
  });
}

std::string disable_blocks(std::string_view text, std::string_view tag) {
  return change_blocks(text, tag, [](std::string& line) {
    if (!is_commented_yaml(line)) line.insert(0, "#");
  });
}

}  // namespace keelson::scaffold
