// Edits of files that a person may have changed: lines are inserted above a marker, and blocks are uncommented.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

// Without their line breaks. A text that ends with a line break has no empty last line.
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

// `text` with `line` above the line that consists of `// +scaffold:NAME` and indentation, and with the same
// indentation. No other line changes, and a line that is there already is not inserted again. kInvalid without a
// marker: the error names `path` and the line to insert by hand.
[[nodiscard]] Result<std::string> insert_at_marker(std::string_view text, std::string_view path, std::string_view name,
                                                   std::string_view line);

// `text` without each line that is `line` with any indentation.
[[nodiscard]] std::string without_line(std::string_view text, std::string_view line);

// `text`, a YAML file, with the blocks below each comment `# [TAG]` uncommented or commented out. Comments of prose
// have a space and a word after the `#`; commented YAML has a dash, two spaces or a key (`#- a`, `#  b: c`, `#d:`).
[[nodiscard]] std::string enable_blocks(std::string_view text, std::string_view tag);
[[nodiscard]] std::string disable_blocks(std::string_view text, std::string_view tag);

}  // namespace keelson::scaffold
