// A page for people: facts, tables and small charts, as HTML without scripts or as plain text.
//
// Overview of room zpages, which shows the state of a program on its health port:
// - status.hpp: the values of /statusz. flags_page.hpp: those of /flagz. Both become a Page, or JSON.
// - history.hpp: the last ten minutes, for charts. error_log.hpp: the last errors.
// - endpoint.hpp: the handler, which chooses the format and renders at most once per second.
//
// Every text of a page may be written by users of the cluster: html_of() escapes it and plain_text_of() removes line
// breaks. Texts longer than limits::kPageTextBytes are cut, and a table has at most limits::kPageRows rows.
//
// Example (test/examples/zpages.cpp#page):
//   std::string backups_page(int done, int failed) {
//     zpages::Page page{.title = "backups", .program = "greeter"};
//     const auto tone = failed > 0 ? zpages::Tone::kBad : zpages::Tone::kGood;
//     page.sections.push_back(
//         {.title = "Backups", .facts = {{"done", std::to_string(done)}, {"failed", std::to_string(failed), tone}}});
//     return zpages::html_of(page);
//   }
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::limits {

// Points of a chart: 10 minutes at an interval of 10 s.
inline constexpr std::size_t kHistoryPoints = 60;

// Rows of a table, and bytes of a text in it: a page must be readable, and small enough to be made in a turn of the
// loop.
inline constexpr std::size_t kPageRows = 100;
inline constexpr std::size_t kPageTextBytes = 600;

}  // namespace keelson::limits

namespace keelson::zpages {

// The color of a text in HTML; plain text does not show it.
enum class Tone { kPlain, kGood, kWarning, kBad, kDim };

struct Fact {
  std::string name;
  std::string value;
  Tone tone = Tone::kPlain;
};

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
  std::vector<float> chart = {};  // drawn before the text; nothing in plain text
  std::string link = {};          // a path of this server that the text refers to in HTML; empty: none
};

struct Column {
  std::string name;
  bool is_number = false;  // aligned to the right
};

struct Table {
  std::string title = {};
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each with a cell for each column
  std::string when_empty = "none";
};

// A line of values at equal intervals, the last one now.
struct Chart {
  std::string name;
  std::string now;            // the last value, as text
  std::string most;           // the greatest value, as text
  std::vector<float> points;  // none is negative
  Tone tone = Tone::kPlain;
};

struct Section {
  std::string title;
  std::vector<Fact> facts = {};
  std::vector<Table> tables = {};
};

struct Page {
  std::string title;    // "statusz"
  std::string program;  // "manager"
  std::string badge = {};
  Tone badge_tone = Tone::kPlain;
  std::vector<Fact> facts = {};         // below the title
  std::vector<std::string> links = {};  // paths of this server
  std::string period = {};              // of all charts: "the last 10 minutes"
  std::vector<Chart> charts = {};
  std::vector<Section> sections = {};
};

[[nodiscard]] std::string html_of(const Page& page);

// In the format of Kubernetes' z-pages: a title, a warning that this is not an interface for programs, and lines.
[[nodiscard]] std::string plain_text_of(const Page& page);

// `text` for the content or a quoted attribute of HTML. Control characters and invalid UTF-8 become U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace keelson::zpages
