#include "src/reference/markdown.hpp"

namespace keelson::reference {

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string prose(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '*' || c == '<' || c == '[' || c == '\\') out.push_back('\\');
    out.push_back(c == '\n' ? ' ' : c);
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) {
    out.push_back(' ');
    for (const char c : cell) {
      if (c == '|') out.push_back('\\');
      out.push_back(c);
    }
    out += cell.empty() ? "|" : " |";
  }
  return out + "\n";
}

std::string table_head(const std::vector<std::string>& titles) {
  std::string line = "|";
  for (std::size_t i = 0; i < titles.size(); ++i) line += "---|";
  return row(titles) + line + "\n";
}

}  // namespace keelson::reference
