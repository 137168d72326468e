// Edits of files that a person may have changed: lines are inserted above a marker, and blocks are uncommented.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

// The lines of a block, enabled.
using Block = std::vector<std::string>;

// Without their line breaks. A text that ends with a line break has no empty last line.
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

// `text` with `line` above the line that consists of `// +scaffold:NAME` and indentation, and with the same
// indentation. No other line changes, and a line that is there already is not inserted again. kInvalid without a
// marker: the error names `path` and the line to insert by hand.
[[nodiscard]] Result<std::string> insert_at_marker(std::string_view text, std::string_view path, std::string_view name,
                                                   std::string_view line);

// `text` without the first line that is `line` with any indentation.
[[nodiscard]] std::string without_line(std::string_view text, std::string_view line);

// `text`, a YAML file, with blocks uncommented or commented out. A block begins below a comment `# [TAG]` and is one of
// `known`, with or without `#` before its lines; lines that a person has added after it stay as they are, as does a
// block that differs.
[[nodiscard]] std::string enable_blocks(std::string_view text, std::string_view tag, const std::vector<Block>& known);
[[nodiscard]] std::string disable_blocks(std::string_view text, std::string_view tag, const std::vector<Block>& known);
// The blocks of the tag in a text in which they are enabled: each ends before a comment, an empty line or a key of the
// file.
[[nodiscard]] std::vector<Block> blocks_of(std::string_view text, std::string_view tag);

}  // namespace keelson::scaffold
