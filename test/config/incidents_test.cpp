// The table "Incidents" of docs/troubleshooting.md: each condition, answer, finding, alert and test that it names
// exists.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/explain_policy.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "test/support/files.hpp"

namespace {

using namespace keelson;
namespace fs = std::filesystem;
using testing::content_of;

// A row for each incident of the list with which the page was written. Only a new incident changes the number.
constexpr std::size_t kIncidents = 46;

constexpr std::string_view kTitle = "## Incidents";
constexpr std::string_view kRemaining = "belong to no incident of the table: ";

fs::path in_source(const std::string& path) { return fs::path(KEELSON_SOURCE_DIR) / path; }

// All files below a folder with one of the endings.
std::string content_below(const std::string& folder, const std::vector<std::string>& endings) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(in_source(folder))) {
    const auto ending = entry.path().extension().string();
    if (!entry.is_regular_file() || std::ranges::find(endings, ending) == endings.end()) continue;
    if (fs::file_size(entry.path()) > 0) text += content_of(entry.path());
  }
  REQUIRE(!text.empty());
  return text;
}

std::string section() {
  const auto page = content_of(in_source("docs/troubleshooting.md"));
  const auto begin = page.find(std::string(kTitle) + "\n");
  REQUIRE(begin != std::string::npos);
  return page.substr(begin, page.find("\n## ", begin + kTitle.size()) - begin);
}

struct IncidentRow {
  std::string incident, conditions, explain, doctor, alert, tests;
};

std::vector<IncidentRow> incident_rows() {
  std::vector<IncidentRow> rows;
  std::istringstream lines(section());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| incident |")) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) cells.emplace_back(base::trim(cell));
    INFO(line);
    REQUIRE(cells.size() == 6);
    rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]});
  }
  return rows;
}

std::vector<std::string> spans_in(const std::string& text) {
  static const std::regex kSpan("`([^`]+)`");
  std::vector<std::string> spans;
  for (std::sregex_iterator at(text.begin(), text.end(), kSpan), end; at != end; ++at) spans.push_back((*at)[1]);
  return spans;
}

// The names that a line of the section lists after "belong to no incident of the table: ".
std::set<std::string> remaining(const std::string& what) {
  const auto text = section();
  const auto start = what + " " + std::string(kRemaining);
  const auto begin = text.find(start);
  INFO("no sentence begins with " << start);
  REQUIRE(begin != std::string::npos);
  const auto names = spans_in(text.substr(begin + start.size(), text.find(".\n", begin) - begin - start.size()));
  return {names.begin(), names.end()};
}

std::vector<std::string> alert_names() {
  static const std::regex kAlert("- alert: (\\w+)");
  const auto text = content_of(in_source("deploy/alerts.yaml"));
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), kAlert), end; at != end; ++at) names.push_back((*at)[1]);
  return names;
}

// A literal may continue on the next line.
std::string joined_literals(const std::string& text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto next = text[at] == '"' ? text.find_first_not_of(" \n", at + 1) : std::string::npos;
    const bool continues = next != std::string::npos && next > at + 1 && text[next] == '"';
    if (continues) {
      at = next;
    } else {
      joined += text[at];
    }
  }
  return joined;
}

}  // namespace

TEST_CASE("docs/troubleshooting.md has a row for each incident, with something that names it") {
  const auto rows = incident_rows();
  CHECK(rows.size() == kIncidents);
  std::set<std::string> names;
  for (const auto& row : rows) {
    INFO(row.incident);
    CHECK(names.insert(row.incident).second);
    CHECK(!row.tests.empty());
    for (const auto& cell : {row.conditions, row.explain, row.doctor, row.alert}) {
      CHECK((cell.starts_with("`") || cell.starts_with("–")));
    }
  }
}

TEST_CASE("each condition, Event and log line of an incident is a text of the sources") {
  const auto sources = joined_literals(content_below("src", {".cpp"}) + content_below("include", {".hpp"}));
  for (const auto& row : incident_rows()) {
    for (const auto& span : spans_in(row.conditions)) {
      INFO(row.incident << ": " << span);
      // Of a log line with a value, the text before it.
      const auto text = std::string(base::trim(span.substr(0, span.find_first_of("-…"))));
      CHECK(sources.find((span.find(' ') == std::string::npos ? "\"" : "") + text) != std::string::npos);
    }
  }
}

TEST_CASE("each answer of explain that an incident names exists") {
  for (const auto& row : incident_rows()) {
    for (const auto& name : spans_in(row.explain)) {
      INFO(row.incident << ": " << name);
      CHECK(std::ranges::any_of(controller::explain_answers(), [&](const auto& each) { return each.name == name; }));
    }
  }
}

TEST_CASE("no incident has an answer of explain or an area of doctor that claims that nothing is wrong") {
  for (const auto& answer : controller::explain_answers()) {
    if (!answer.text.starts_with("Nothing to do")) continue;
    for (const auto& row : incident_rows()) {
      const auto names = spans_in(row.explain);
      INFO(row.incident);
      // A CronJob waits for its next run, after the missed one and on the days of a clock change.
      const bool waits = answer.name == "waiting" && (row.incident.find("CronJob") != std::string::npos ||
                                                      row.incident.find("clock") != std::string::npos);
      CHECK((waits || std::ranges::find(names, answer.name) == names.end()));
    }
  }
}

TEST_CASE("each finding of an incident exists, and each error of doctor belongs to one or is listed") {
  auto named = remaining("These errors of `manager doctor`");
  for (const auto& row : incident_rows()) {
    for (const auto& id : spans_in(row.doctor)) {
      INFO(row.incident << ": " << id);
      CHECK(doctor::find_kind(id) != nullptr);
      named.insert(id);
    }
  }
  for (const auto& kind : doctor::finding_kinds()) {
    INFO(kind.id);
    CHECK((kind.severity != doctor::Severity::kError || named.contains(std::string(kind.id))));
  }
  for (const auto& id : remaining("These errors of `manager doctor`")) {
    INFO(id);
    CHECK(doctor::find_kind(id) != nullptr);
  }
}

TEST_CASE("each alert of an incident exists, and each alert belongs to one or is listed") {
  const auto alerts = alert_names();
  auto named = remaining("These alerts");
  for (const auto& row : incident_rows()) {
    for (const auto& alert : spans_in(row.alert)) named.insert(alert);
  }
  for (const auto& alert : named) {
    INFO(alert << " is no alert of deploy/alerts.yaml");
    CHECK(std::ranges::find(alerts, alert) != alerts.end());
  }
  for (const auto& alert : alerts) {
    INFO(alert << " is neither in the table nor below it");
    CHECK(named.contains(alert));
  }
}

TEST_CASE("each test of an incident exists, and each alert of an incident has one with its name") {
  const auto promtool = content_of(in_source("test/deploy/alerts_test.yaml"));
  const auto tests = joined_literals(content_below("test", {".cpp"}));
  for (const auto& row : incident_rows()) {
    bool has_alert_test = false;
    auto rest = row.tests;
    while (!rest.empty()) {
      const auto end = std::min(rest.find("; "), rest.size());
      const auto name = rest.substr(0, end);
      rest.erase(0, std::min(end + 2, rest.size()));
      INFO(row.incident << ": " << name);
      // Those of test/deploy/simulated_alerts_test.cpp run promtool on the series of a simulated manager.
      const bool is_history = promtool.find("- name: " + name) != std::string::npos;
      const bool is_of_alert = is_history || name.starts_with("alerts: ");
      has_alert_test = has_alert_test || is_of_alert;
      CHECK((is_history || tests.find("\"" + name) != std::string::npos));
    }
    INFO(row.incident << " has an alert and no promtool test");
    CHECK((has_alert_test || !row.alert.starts_with("`")));
  }
}
