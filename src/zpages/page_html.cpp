#include <algorithm>
#include <cmath>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/zpages/page.hpp"
#include "src/zpages/shortened.hpp"

namespace keelson::zpages {

namespace {

// System fonts and colors for both schemes; a table wider than the window scrolls by itself.
constexpr std::string_view kStyle =
    R"(:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--fg:#1b1f24;--dim:#5d6672;
--line:#dfe3e8;--accent:#326ce5;--good:#137a3f;--warn:#9a5b00;--bad:#c0212f}
@media(prefers-color-scheme:dark){:root{--bg:#12151a;--card:#1b2027;--fg:#e4e8ee;--dim:#98a3b1;--line:#2f3742;
--accent:#7aa7ff;--good:#5ccb89;--warn:#f0b354;--bad:#ff7b84}}
*{box-sizing:border-box}
body{margin:0 auto;padding:20px;max-width:1240px;background:var(--bg);color:var(--fg);
font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 12px;margin-bottom:10px}
h1{font-size:22px;margin:0}h1 span{color:var(--dim);font-weight:400}
h2{font-size:15px;margin:0 0 8px}h3{font-size:12px;margin:14px 0 2px;color:var(--dim);font-weight:600}
nav{margin-left:auto}nav a{margin-left:12px}a{color:var(--accent)}
.badge{border:1px solid;border-radius:9px;padding:0 9px;font-size:12px;font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:3px 24px;margin:0}
.facts div{max-width:100%;overflow-wrap:anywhere}
dt{display:inline;color:var(--dim)}dt:after{content:" "}dd{display:inline;margin:0}
section,.chart{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px}
section{margin-top:12px}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:12px;margin-top:12px}
.chart b{display:block;font-size:21px;font-weight:600}.chart small,.none,.dim{color:var(--dim)}
.chart svg{width:100%;height:44px;margin-top:4px}
svg{display:block;overflow:visible}
.line{fill:none;stroke:var(--accent);stroke-width:1.5;vector-effect:non-scaling-stroke}
.area{fill:var(--accent);opacity:.14}.base{stroke:var(--line);vector-effect:non-scaling-stroke}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:4px 10px 4px 0;border-top:1px solid var(--line);vertical-align:top}
th{border:0;color:var(--dim);font-weight:500;font-size:12px;white-space:nowrap}
td{overflow-wrap:break-word}
.n{text-align:right;white-space:nowrap}
td svg{display:inline-block;width:64px;height:16px;margin-right:8px;vertical-align:-2px}
.good{color:var(--good)}.warning{color:var(--warn)}.bad{color:var(--bad)}
footer{color:var(--dim);font-size:12px;margin-top:14px}
@media(max-width:640px){body{padding:10px}nav{margin-left:0}nav a{margin:0 12px 0 0;display:inline-block}
h1,h2,h3,.chart b{overflow-wrap:anywhere}.charts{grid-template-columns:repeat(2,minmax(0,1fr))}
table,tbody,tr,td{display:block}tr:first-child{display:none}tr{border-top:1px solid var(--line);padding:5px 0}
td,td.n{display:flex;gap:10px;border:0;padding:1px 0;text-align:left;white-space:normal;overflow-wrap:anywhere}
td:before{content:attr(data-c);flex:0 0 6.5em;color:var(--dim)}td a{min-width:0}td:empty{display:none}
td svg{flex:none;margin:3px 0 0}})";

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      break;
    case Tone::kGood:
      return "good";
    case Tone::kWarning:
      return "warning";
    case Tone::kBad:
      return "bad";
    case Tone::kDim:
      return "dim";
  }
  return "";
}

void attribute(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) out.append(" ").append(name).append("=\"").append(escape_html(value)).append("\"");
}

// An element with an escaped text.
void element(std::string& out, std::string_view tag, std::string_view text, std::string_view classes = {}) {
  out.append("<").append(tag);
  attribute(out, "class", classes);
  out.append(">").append(escape_html(shortened(text))).append("</").append(tag).append(">");
}

void append_link(std::string& out, std::string_view target, std::string_view text) {
  out += "<a";
  attribute(out, "href", target);
  out.append(">").append(escape_html(shortened(text))).append("</a>");
}

// A coordinate with one digit after the point; it is not negative.
void append_number(std::string& out, double value) {
  const auto tenths = std::lround(value * 10);
  out += std::to_string(tenths / 10);
  if (tenths % 10 != 0) out.append(".").append(std::to_string(tenths % 10));
}

// The line, and the area below it. The newest point is at the right edge, whatever the number of points is, so that
// charts of a young process have the same scale.
void append_chart(std::string& out, const std::vector<float>& points, double height) {
  constexpr double kStep = 4;
  const double width = kStep * (limits::kHistoryPoints - 1);
  const double greatest = points.empty() ? 0 : *std::ranges::max_element(points);
  out += "<svg viewBox=\"0 0 ";
  append_number(out, width);
  out += " ";
  append_number(out, height);
  out += "\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path class=\"base\" d=\"M0 ";
  append_number(out, height);
  out += "H";
  append_number(out, width);
  out += "\"/>";
  if (points.size() >= 2) {
    const double first = width - kStep * static_cast<double>(points.size() - 1);
    std::string line;
    for (std::size_t i = 0; i < points.size(); ++i) {
      line += i == 0 ? "M" : "L";
      append_number(line, first + kStep * static_cast<double>(i));
      line += " ";
      append_number(line, greatest > 0 ? height - (height - 2) * points[i] / greatest : height);
    }
    out.append("<path class=\"area\" d=\"").append(line).append("L");
    append_number(out, width);
    out += " ";
    append_number(out, height);
    out += "L";
    append_number(out, first);
    out += " ";
    append_number(out, height);
    out.append("Z\"/><path class=\"line\" d=\"").append(line).append("\"/>");
  }
  out += "</svg>";
}

void append_facts(std::string& out, const std::vector<Fact>& facts) {
  if (facts.empty()) return;
  out += "<dl class=\"facts\">";
  for (const auto& fact : facts) {
    out += "<div>";
    element(out, "dt", fact.name);
    element(out, "dd", fact.value, class_of(fact.tone));
    out += "</div>";
  }
  out += "</dl>\n";
}

// On a phone the cells of a row are below each other, each with the name of its column (kStyle).
void append_cell(std::string& out, const Column& column, const Cell& cell) {
  std::string classes(class_of(cell.tone));
  if (column.is_number) classes += classes.empty() ? "n" : " n";
  out += "<td";
  attribute(out, "class", classes);
  attribute(out, "data-c", column.name);
  out += ">";
  if (!cell.chart.empty()) append_chart(out, cell.chart, 16);
  if (cell.link.empty()) {
    out += escape_html(shortened(cell.text));
  } else {
    append_link(out, cell.link, cell.text);
  }
  out += "</td>";
}

void append_table(std::string& out, const Table& table) {
  if (!table.title.empty()) element(out, "h3", table.title);
  if (table.rows.empty()) return element(out, "div", table.when_empty, "none");
  out += "<div class=\"scroll\"><table><tr>";
  for (const auto& column : table.columns) element(out, "th", column.name, column.is_number ? "n" : "");
  out += "</tr>\n";
  for (std::size_t row = 0; row < std::min(table.rows.size(), limits::kPageRows); ++row) {
    out += "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) append_cell(out, table.columns[i], table.rows[row][i]);
    out += "</tr>\n";
  }
  out += "</table></div>";
  if (table.rows.size() > limits::kPageRows) element(out, "div", more_rows(table.rows.size()), "none");
}

void append_header(std::string& out, const Page& page) {
  out += "<header><h1>";
  out.append(escape_html(page.program)).append(" <span>").append(escape_html(page.title)).append("</span></h1>");
  if (!page.badge.empty()) element(out, "span", page.badge, "badge " + std::string(class_of(page.badge_tone)));
  out += "<nav>";
  for (const auto& link : page.links) {
    append_link(out, link, link);
  }
  out += "</nav></header>\n";
}

void append_charts(std::string& out, const Page& page) {
  if (page.charts.empty()) return;
  out += "<div class=\"charts\">";
  for (const auto& chart : page.charts) {
    out += "<div class=\"chart\">";
    element(out, "span", chart.name);
    element(out, "b", chart.now, class_of(chart.tone));
    element(out, "small", "max " + chart.most);
    append_chart(out, chart.points, 44);
    out += "</div>\n";
  }
  out += "</div>\n";
}

}  // namespace

std::string html_of(const Page& page) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  out += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">";
  element(out, "title", page.program + " " + page.title);
  out.append("<style>").append(kStyle).append("</style></head>\n<body>");
  append_header(out, page);
  append_facts(out, page.facts);
  append_charts(out, page);
  for (const auto& section : page.sections) {
    out += "<section>";
    element(out, "h2", section.title);
    append_facts(out, section.facts);
    for (const auto& table : section.tables) append_table(out, table);
    out += "</section>\n";
  }
  if (!page.period.empty()) element(out, "footer", "Charts show " + page.period + ".");
  return out + "</body></html>\n";
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto valid = base::to_valid_utf8(text);
  for (const char c : valid) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += ' ';
        break;
      default:
        if (base::is_control(c)) {
          out += "\xEF\xBF\xBD";
        } else {
          out += c;
        }
    }
  }
  return out;
}

}  // namespace keelson::zpages
