#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/zpages/page.hpp"
#include "src/zpages/shortened.hpp"

namespace keelson::zpages {

namespace {

// The warning of Kubernetes' z-pages, word for word.
constexpr std::string_view kWarning =
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is "
    "for debugging purposes only.";

// One line: a line break in a name or an error must not look like another line of the page.
std::string one_line(std::string_view text) {
  auto line = base::to_valid_utf8(shortened(text));
  std::ranges::replace_if(line, base::is_control, ' ');
  return line;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void append_fact_lines(std::string& out, const std::vector<Fact>& facts) {
  for (const auto& fact : facts) out.append(one_line(fact.name)).append(": ").append(one_line(fact.value)).append("\n");
}

void append_table_lines(std::string& out, const Table& table) {
  if (!table.title.empty()) out.append(one_line(table.title)).append(":\n");
  if (table.rows.empty()) {
    out.append("  ").append(table.when_empty).append("\n");
    return;
  }
  const auto rows = std::min(table.rows.size(), limits::kPageRows);
  std::vector<std::vector<std::string>> lines(rows + 1);
  std::vector<std::size_t> widths(table.columns.size());
  for (std::size_t row = 0; row <= rows; ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      lines[row].push_back(row == 0 ? table.columns[i].name : one_line(table.rows[row - 1][i].text));
      widths[i] = std::max(widths[i], width_of(lines[row].back()));
    }
  }
  for (const auto& line : lines) {
    out += " ";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - width_of(line[i]), ' ');
      const bool is_last = i + 1 == line.size();
      out += " ";
      if (table.columns[i].is_number) {
        out.append(padding).append(line[i]);
      } else {
        out.append(line[i]).append(is_last ? "" : padding);
      }
      out += is_last ? "\n" : " ";
    }
  }
  if (table.rows.size() > limits::kPageRows) out.append("  ").append(more_rows(table.rows.size())).append("\n");
}

}  // namespace

std::string plain_text_of(const Page& page) {
  std::string out = "\n" + page.program + " " + page.title + "\n";
  out.append(kWarning).append("\n\n");
  if (!page.badge.empty()) append_fact_lines(out, {{"State", page.badge}});
  append_fact_lines(out, page.facts);
  if (!page.links.empty()) out.append("Paths: ").append(base::join(page.links, " ")).append("\n");
  for (const auto& chart : page.charts) {
    append_fact_lines(out, {{chart.name, chart.now + " (" + page.period + ": at most " + chart.most + ")"}});
  }
  for (const auto& section : page.sections) {
    out.append("\n").append(section.title).append("\n");
    append_fact_lines(out, section.facts);
    for (const auto& table : section.tables) append_table_lines(out, table);
  }
  return out;
}

}  // namespace keelson::zpages
