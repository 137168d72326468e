// Edits of files that a person may have changed: lines are inserted above a marker, and blocks are uncommented.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

using KnownLines = std::set<std::string, std::less<>>;

// Without their line breaks. A text that ends with a line break has no empty last line.
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

// `text` with `line` above the line that consists of `// +scaffold:NAME` and indentation, and with the same
// indentation. No other line changes, and a line that is there already is not inserted again. kInvalid without a
// marker: the error names `path` and the line to insert by hand.
[[nodiscard]] Result<std::string> insert_at_marker(std::string_view text, std::string_view path, std::string_view name,
                                                   std::string_view line);

// `text` without each line that is `line` with any indentation.
[[nodiscard]] std::string without_line(std::string_view text, std::string_view line);

// `text`, a YAML file, with the lines of a block uncommented or commented out. A block begins below a comment `# [TAG]`
// and has only lines of `known`, without their `#`; a line that a person has added to it stays as it is.
[[nodiscard]] std::string enable_blocks(std::string_view text, std::string_view tag, const KnownLines& known);
[[nodiscard]] std::string disable_blocks(std::string_view text, std::string_view tag, const KnownLines& known);
// The lines of all blocks of the tag in a text whose blocks are enabled: up to the next comment, empty line or key.
[[nodiscard]] KnownLines lines_of_blocks(std::string_view text, std::string_view tag);

}  // namespace keelson::scaffold
