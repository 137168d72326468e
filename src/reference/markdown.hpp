// Pieces of Markdown that hold whatever text they are made of: code, and cells of tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::reference {

// `text` in back quotes.
[[nodiscard]] std::string code(std::string_view text);

// Prose for one cell: on one line, with what would end the cell or change the type face escaped.
[[nodiscard]] std::string prose(std::string_view text);

// `| a | b |` and a newline. A bar in a cell is escaped here, in code too: tables are cut into cells first.
[[nodiscard]] std::string row(const std::vector<std::string>& cells);

// The first row and the line below it.
[[nodiscard]] std::string table_head(const std::vector<std::string>& titles);

}  // namespace keelson::reference
