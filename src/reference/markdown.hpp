// Parts of Markdown from any text, escaped as needed: code, and cells of tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::reference {

// `text` in backquotes.
[[nodiscard]] std::string code(std::string_view text);

// Prose for a cell: on a single line, with the characters escaped that are markup.
[[nodiscard]] std::string prose(std::string_view text);

// `| a | b |` and a newline. A bar in a cell is escaped here, also in code, because Markdown splits rows into cells
// first.
[[nodiscard]] std::string row(const std::vector<std::string>& cells);

// The first row and the line below it.
[[nodiscard]] std::string table_head(const std::vector<std::string>& titles);

}  // namespace keelson::reference
