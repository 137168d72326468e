// deploy/alerts.yaml: rules that Prometheus accepts, with series that exist, with instructions for operators.
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "test/deploy/promtool.hpp"
#include "test/deploy/shown_series.hpp"
#include "test/support/json_texts.hpp"

namespace keelson::testing {
namespace {

const std::filesystem::path kSource = KEELSON_SOURCE_DIR;
const std::filesystem::path kAlerts = kSource / "deploy/alerts.yaml";

json::Document document_of(const std::filesystem::path& path) {
  auto text = json::yaml_to_json(content_of(path));
  REQUIRE(text);
  auto document = json::Document::parse(*text);
  REQUIRE(document);
  return std::move(*document);
}

template <class Visit>
void for_each_alert(Visit visit) {
  const auto document = document_of(kAlerts);
  for (auto group : document.root().find("groups").items()) {
    for (auto rule : group.find("rules").items()) {
      const std::string name(rule.find("alert").string().value_or(""));
      INFO("the alert " << name);
      visit(name, rule);
    }
  }
}

// The names in `{{ $labels.… }}`.
std::set<std::string> labels_in(const std::string& text) {
  static const std::string kBefore = "$labels.";
  std::set<std::string> labels;
  for (auto at = text.find(kBefore); at != std::string::npos; at = text.find(kBefore, at + 1)) {
    auto from = at + kBefore.size();
    labels.insert(text.substr(from, text.find_first_of(" }", from) - from));
  }
  return labels;
}

// The anchors of a page's headings as GitHub and GitLab create them: "### Stale caches" is "stale-caches".
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("##")) continue;
    std::string anchor;
    for (const char c : line.substr(line.find(' ') + 1)) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

}  // namespace

TEST_CASE("promtool accepts the alerts") { check_rules(kAlerts); }

TEST_CASE("the PrometheusRule of config/prometheus has the same alerts") {
  const auto rule = document_of(kSource / "config/prometheus/alerts.yaml");
  CHECK(rule.root().find("kind").string() == "PrometheusRule");
  const auto alerts = document_of(kAlerts);
  CHECK(rule.root().at({"spec", "groups"}).text() == alerts.root().find("groups").text());
}

TEST_CASE("every alert uses series and labels that a manager exposes") {
  const ShownSeries shown;
  for_each_alert([&](const std::string&, json::View rule) {
    const auto expression = text_at(rule, {"expr"});
    shown.hold(expression);
    const auto words = text_at(rule, {"annotations", "summary"}) + text_at(rule, {"annotations", "description"});
    for (const auto& label : labels_in(words)) shown.hold_label(named_by(expression), label);
  });
}

TEST_CASE("every alert has a unique name, a severity, a description and a runbook") {
  std::set<std::string> names;
  for_each_alert([&](const std::string& name, json::View rule) {
    CHECK(name.starts_with("Keelson"));
    CHECK(names.insert(name).second);
    const auto severity = text_at(rule, {"labels", "severity"});
    CHECK((severity == "critical" || severity == "warning" || severity == "info"));
    CHECK(text_at(rule, {"annotations", "summary"}).ends_with("."));
    CHECK(text_at(rule, {"annotations", "description"}).size() > 60);
  });
  CHECK(names.size() > 10);
}

TEST_CASE("every alert names the command that finds the cause") {
  for_each_alert([](const std::string&, json::View rule) {
    const auto description = text_at(rule, {"annotations", "description"});
    INFO(description);
    const bool has_command =
        description.find("`manager ") != std::string::npos || description.find("`kubectl ") != std::string::npos;
    CHECK(has_command);
  });
}

// A Prometheus usually has several controller-runtime managers, whose series have the same names.
TEST_CASE("every alert selects only our managers") {
  for_each_alert([](const std::string&, json::View rule) {
    const auto expression = text_at(rule, {"expr"});
    bool is_ours = expression.find("and on (job, instance) keelson_timers") != std::string::npos;
    for (const auto& series : named_by(expression).series) {
      is_ours = is_ours || series.name.starts_with("keelson_") || series.name.starts_with("cronjob_controller_");
    }
    CHECK(is_ours);
  });
}

TEST_CASE("the runbook of every alert is a heading in docs/troubleshooting.md") {
  const auto anchors = anchors_of(content_of(kSource / "docs/troubleshooting.md"));
  for_each_alert([&](const std::string&, json::View rule) {
    const auto runbook = text_at(rule, {"annotations", "runbook_url"});
    INFO("its runbook_url '" << runbook << "'");
    const std::string page = "docs/troubleshooting.md#";
    REQUIRE(runbook.starts_with(page));
    CHECK(anchors.contains(runbook.substr(page.size())));
  });
}

TEST_CASE("links from one heading of docs/troubleshooting.md to another resolve") {
  const auto page = content_of(kSource / "docs/troubleshooting.md");
  const auto anchors = anchors_of(page);
  const std::string before = "](#";
  for (auto at = page.find(before); at != std::string::npos; at = page.find(before, at + 1)) {
    const auto from = at + before.size();
    const auto anchor = page.substr(from, page.find(')', from) - from);
    INFO("#" << anchor);
    CHECK(anchors.contains(anchor));
  }
}

// Prometheus 3 stores le="10" as le="10.0".
TEST_CASE("an alert that selects a bucket matches every spelling of its bound") {
  for_each_alert([](const std::string&, json::View rule) {
    const auto expression = text_at(rule, {"expr"});
    INFO(expression);
    CHECK(expression.find("le=\"") == std::string::npos);
  });
}

TEST_CASE("every alert has a test with a history in which it fires") {
  const auto histories = content_of(kSource / "test/deploy/alerts_test.yaml");
  for_each_alert([&](const std::string& name, json::View) {
    CHECK(histories.find("ALERTS{alertname=\"" + name + "\", alertstate=\"firing\"") != std::string::npos);
  });
}

TEST_CASE("every alert has a test with a history in which its series exist and it does not fire") {
  auto quiet = content_of(kSource / "test/deploy/alerts_test.yaml");
  quiet.resize(quiet.find("\n- name:", quiet.find("- name: nothing fires")));
  for_each_alert([&](const std::string&, json::View rule) {
    for (const auto& series : named_by(text_at(rule, {"expr"})).series) {
      INFO("the series " << series.name);
      CHECK((series.name == "ALERTS" || quiet.find("'" + series.name + "{") != std::string::npos));
    }
  });
}

}  // namespace keelson::testing
