// The tables of docs/troubleshooting.md have the words of `manager doctor` for what it reports.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "keelson/detail/doctor/findings.hpp"
#include "test/support/text_parts.hpp"

namespace {

using namespace keelson;
using Cells = std::vector<std::string>;
using testing::contains;

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Empty if the line is no row of a table.
Cells cells_of(const std::string& line) {
  Cells cells;
  if (!line.starts_with("| ")) return cells;
  std::size_t begin = 1;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '|' || line[i - 1] == '\\') continue;
    cells.push_back(trimmed(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  return cells;
}

std::string without_links(const std::string& cell) {
  static const std::regex kLink(R"( \(\[[^\]]*\]\([^)]*\)\))");
  return std::regex_replace(cell, kLink, "");
}

struct Row {
  Cells heading;
  Cells cells;
  [[nodiscard]] std::string at(const std::string& title) const {
    const auto found = std::ranges::find(heading, title);
    return found == heading.end() ? "" : cells.at(static_cast<std::size_t>(found - heading.begin()));
  }
};

std::vector<Row> rows_of_page() {
  std::ifstream file(std::string(KEELSON_SOURCE_DIR) + "/docs/troubleshooting.md");
  REQUIRE(file);
  std::vector<Row> rows;
  Cells heading;
  for (std::string line; std::getline(file, line);) {
    const auto cells = cells_of(line);
    if (cells.empty()) {
      if (!line.starts_with("|-")) heading.clear();
    } else if (heading.empty()) {
      heading = cells;
    } else {
      rows.push_back({heading, cells});
    }
  }
  return rows;
}

// Those of the finding, or of one of its causes.
bool has_words_of_doctor(const doctor::FindingKind& kind, const std::string& cause, const std::string& remedy) {
  if (contains(kind.cause, cause) && contains(kind.remedy, remedy)) return true;
  const auto causes = doctor::finding_causes();
  return std::ranges::any_of(causes, [&](const doctor::FindingCause& special) {
    return special.id == kind.id && special.cause == cause && special.remedy == remedy;
  });
}

TEST_CASE(
    "each row of docs/troubleshooting.md with a cause and a remedy names what shows it, doctor in its own words") {
  std::size_t of_doctor = 0;
  for (const auto& row : rows_of_page()) {
    if (row.at("cause").empty()) continue;
    INFO(row.cells.front());
    const auto shown_by = row.at("shown by");
    if (shown_by == "log" || shown_by == "explain" || shown_by == "reply") continue;
    REQUIRE(shown_by.size() > 2);
    const auto* kind = doctor::find_kind(shown_by.substr(1, shown_by.size() - 2));
    INFO(shown_by << " is no finding of doctor (src/doctor/finding_kinds.cpp)");
    REQUIRE(kind != nullptr);
    ++of_doctor;
    CHECK(has_words_of_doctor(*kind, without_links(row.at("cause")), without_links(row.at("remedy"))));
  }
  CHECK(of_doctor > 10);
}

}  // namespace
