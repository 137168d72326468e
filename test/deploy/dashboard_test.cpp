// deploy/grafana-dashboard.json: panels with series that exist, in expressions that Prometheus accepts.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "keelson/json/value.hpp"
#include "test/deploy/promtool.hpp"
#include "test/deploy/shown_series.hpp"

namespace keelson::testing {
namespace {

const std::filesystem::path kDashboard = std::filesystem::path(KEELSON_SOURCE_DIR) / "deploy/grafana-dashboard.json";

json::Document dashboard() {
  auto document = json::Document::parse(content_of(kDashboard));
  REQUIRE(document);
  return std::move(*document);
}

struct Target {
  json::View panel;
  std::string title;
  std::string expression;
  std::string legend;
};

void for_each_target(json::View root, const std::function<void(const Target&)>& visit) {
  for (auto panel : root.find("panels").items()) {
    for (auto target : panel.find("targets").items()) {
      const std::string title(panel.find("title").string().value_or(""));
      INFO("the panel " << title);
      visit({panel, title, std::string(target.find("expr").string().value_or("")),
             std::string(target.find("legendFormat").string().value_or(""))});
    }
  }
}

std::set<std::string> variables(json::View root) {
  std::set<std::string> names{"__rate_interval"};
  for (auto variable : root.at({"templating", "list"}).items()) names.emplace(*variable.find("name").string());
  return names;
}

// Every `$name` and `${name}`.
std::set<std::string> variables_in(const std::string& text) {
  std::set<std::string> names;
  for (auto at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    auto from = text[at + 1] == '{' ? at + 2 : at + 1;
    auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", from);
    names.insert(text.substr(from, end - from));
  }
  return names;
}

std::set<std::string> labels_in_legend(const std::string& legend) {
  std::set<std::string> labels;
  for (auto at = legend.find("{{"); at != std::string::npos; at = legend.find("{{", at + 2)) {
    labels.insert(legend.substr(at + 2, legend.find("}}", at) - at - 2));
  }
  return labels;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

struct Place {
  std::int64_t left, top, right, bottom;
  [[nodiscard]] bool overlaps(const Place& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

Place place_of(json::View panel) {
  auto at = [&](std::string_view name) { return panel.at({"gridPos", name}).integer().value_or(-1); };
  return {at("x"), at("y"), at("x") + at("w"), at("y") + at("h")};
}

}  // namespace

TEST_CASE("every panel uses series and labels that a manager exposes") {
  const ShownSeries shown;
  const auto document = dashboard();
  int targets = 0;
  for_each_target(document.root(), [&](const Target& target) {
    ++targets;
    shown.hold(target.expression);
    for (const auto& label : labels_in_legend(target.legend)) shown.hold_label(named_by(target.expression), label);
  });
  CHECK(targets > 30);
}

TEST_CASE("promtool accepts the expression of every panel") {
  const auto document = dashboard();
  const auto rules = std::filesystem::path(KEELSON_BINARY_DIR) / "dashboard.yaml";
  std::ofstream file(rules);
  file << "groups:\n- name: dashboard\n  rules:\n";
  int number = 0;
  for_each_target(document.root(), [&](const Target& target) {
    file << "  - record: panel:" << ++number << "\n    expr: >-\n      "
         << replaced(target.expression, "$__rate_interval", "5m") << "\n";
  });
  file.close();

  check_rules(rules);
}

// Prometheus 3 stores le="10" as le="10.0".
TEST_CASE("a panel that selects a bucket matches every spelling of its bound") {
  const auto document = dashboard();
  for_each_target(document.root(), [](const Target& target) {
    INFO(target.expression);
    CHECK(target.expression.find("le=\"") == std::string::npos);
  });
}

TEST_CASE("every series of a controller-runtime manager is selected by namespace and job") {
  const auto document = dashboard();
  for_each_target(document.root(), [](const Target& target) {
    for (const auto& series : named_by(target.expression).series) {
      INFO(target.expression);
      CHECK(series.labels.contains("namespace"));
      CHECK(series.labels.contains("job"));
    }
  });
}

TEST_CASE("the dashboard can be imported anywhere: its data source and all values of its selectors are variables") {
  const auto document = dashboard();
  const auto known = variables(document.root());
  CHECK(known.contains("datasource"));
  CHECK(document.root().find("id").is_absent());
  for (const auto& name : variables_in(content_of(kDashboard))) {
    INFO("the variable " << name);
    CHECK((known.contains(name) || name == "__all"));
  }
  for_each_target(document.root(), [](const Target& target) {
    CHECK(target.panel.at({"datasource", "uid"}).string() == "${datasource}");
  });
}

TEST_CASE("panels have unique ids and titles, and do not overlap") {
  const auto document = dashboard();
  std::set<std::int64_t> numbers;
  std::vector<Place> places;
  for (auto panel : document.root().find("panels").items()) {
    INFO("the panel " << panel.find("title").string().value_or("without a title"));
    CHECK(panel.find("title").string().has_value());
    CHECK(numbers.insert(panel.find("id").integer().value_or(0)).second);
    const auto place = place_of(panel);
    CHECK(place.left >= 0);
    CHECK(place.right <= 24);
    for (const auto& other : places) CHECK_FALSE(place.overlaps(other));
    places.push_back(place);
  }
}

TEST_CASE("variables get their values from series that a manager exposes") {
  const ShownSeries shown;
  const auto document = dashboard();
  for (auto variable : document.root().at({"templating", "list"}).items()) {
    if (variable.find("type").string() != "query") continue;
    const std::string query(variable.at({"query", "query"}).string().value_or(""));
    INFO(query);
    const std::string before = "label_values(";
    REQUIRE(query.starts_with(before));
    const auto comma = query.rfind(", ");
    const auto series = query.substr(before.size(), comma - before.size());
    shown.hold(series);
    shown.hold_label(named_by(series), query.substr(comma + 2, query.size() - comma - 3));
  }
}

}  // namespace keelson::testing
