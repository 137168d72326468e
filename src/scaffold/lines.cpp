#include "src/scaffold/lines.hpp"

#include <algorithm>
#include <iterator>

#include "keelson/detail/base/text.hpp"

namespace keelson::scaffold {

namespace {

// Ends as `before` ends: with or without a line break.
std::string join_lines(const std::vector<std::string>& lines, std::string_view before) {
  std::string out;
  for (const auto& line : lines) out += line + "\n";
  if (!before.empty() && !before.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_key(std::string_view line) {
  return !line.empty() && line.front() >= 'a' && line.front() <= 'z' && line.ends_with(':');
}

bool begins_block(std::string_view line, std::string_view tag) {
  return line.starts_with("# [" + std::string(tag) + "]");
}

// Comments of prose have a space and a word after the `#`.
bool is_prose(std::string_view line) { return line.starts_with("# ") && !line.starts_with("#  "); }

std::string_view without_comment(std::string_view line) {
  const auto plain = without_return(line);
  return plain.starts_with('#') ? plain.substr(1) : plain;
}

// Calls `change` for each line of the blocks of the tag that are known.
template <class Change>
std::string change_blocks(std::string_view text, std::string_view tag, const std::vector<Block>& known,
                          const Change& change) {
  auto lines = split_lines(text);
  const auto begins_with = [&](std::size_t at, const Block& block) {
    if (at + block.size() > lines.size()) return false;
    return std::equal(
        block.begin(), block.end(), lines.begin() + static_cast<std::ptrdiff_t>(at),
        [](const std::string& wanted, const std::string& line) { return wanted == without_comment(line); });
  };
  bool is_in_comment = false;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const auto plain = without_return(lines[at]);
    if (plain.starts_with("# [")) {
      is_in_comment = begins_block(plain, tag);
    } else if (is_in_comment && !is_prose(plain)) {
      is_in_comment = false;
      const auto block = std::ranges::find_if(known, [&](const Block& one) { return begins_with(at, one); });
      if (block == known.end()) continue;
      for (std::size_t i = 0; i < block->size(); ++i) change(lines[at + i]);
    }
  }
  return join_lines(lines, text);
}

using Lines = std::vector<std::string>;

// Above the marker; an #include before the first one of the includes directly above the marker that is greater.
Lines::iterator place_of(const std::string& line, Lines& lines, Lines::iterator marker) {
  const auto is_include = [](const std::string& other) { return other.starts_with("#include"); };
  if (!is_include(line)) return marker;
  auto first = marker;
  while (first != lines.begin() && is_include(*std::prev(first))) --first;
  return std::find_if(first, marker, [&](const std::string& other) { return other > line; });
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
  if (std::ranges::any_of(lines, is_same)) return std::string(text);
  const auto is_marker = [&](const std::string& other) {
    const auto comment = base::trim(other);
    return comment == "// " + marker || comment == "# " + marker;
  };
  const auto place = std::ranges::find_if(lines, is_marker);
  if (place == lines.end()) {
    return invalid_error(std::string(path) + " has no comment \"" + marker + "\", above which this line belongs: " +
                         std::string(line) + "\nInsert the comment or the line, and run the command again");
  }
  auto inserted = place->substr(0, place->find_first_not_of(" \t")) + std::string(line);
  if (place->ends_with('\r')) inserted += '\r';
  lines.insert(place_of(inserted, lines, place), inserted);
  return join_lines(lines, text);
}

std::string without_line(std::string_view text, std::string_view line) {
  auto lines = split_lines(text);
  const auto is_same = [&](const std::string& other) { return base::trim(other) == line; };
  const auto place = std::ranges::find_if(lines, is_same);
  if (place == lines.end()) return std::string(text);
  lines.erase(place);
  return join_lines(lines, text);
}

std::string enable_blocks(std::string_view text, std::string_view tag, const std::vector<Block>& known) {
  return change_blocks(text, tag, known, [](std::string& line) {
    if (line.starts_with('#')) line.erase(0, 1);
  });
}

std::string disable_blocks(std::string_view text, std::string_view tag, const std::vector<Block>& known) {
  return change_blocks(text, tag, known, [](std::string& line) {
    if (!line.starts_with('#')) line.insert(0, "#");
  });
}

std::vector<Block> blocks_of(std::string_view text, std::string_view tag) {
  std::vector<Block> blocks;
  enum class Place { kElsewhere, kComment, kBlock } place = Place::kElsewhere;
  for (const auto& line : split_lines(text)) {
    if (begins_block(line, tag)) {
      place = Place::kComment;
    } else if (is_prose(line)) {
      if (place == Place::kBlock) place = Place::kElsewhere;
    } else if (line.empty() || (place == Place::kBlock && is_key(line))) {
      place = Place::kElsewhere;
    } else if (place != Place::kElsewhere) {
      // Only the first line of a block can be a key of the file.
      if (place == Place::kComment) blocks.emplace_back();
      place = Place::kBlock;
      blocks.back().push_back(line);
    }
  }
  return blocks;
}

}  // namespace keelson::scaffold
