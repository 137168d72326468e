// The table of permissions in docs/security.md against the generated role: each permission has a reason.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "keelson/base/text.hpp"
#include "keelson/controller/manager_rules.hpp"
#include "src/controllers/built_in.hpp"

namespace {

using namespace keelson;

using Verbs = std::set<std::string>;
using Rights = std::map<std::string, Verbs>;  // by "deployments.apps"

Rights granted() {
  Rights rights;
  for (const auto& rule : controller::manager_rules(controllers::built_in())) {
    for (const auto& group : rule.groups) {
      for (const auto& resource : rule.resources) {
        rights[group.empty() ? resource : resource + "." + group].insert(rule.verbs.begin(), rule.verbs.end());
      }
    }
  }
  return rights;
}

std::set<std::string> all_matches(const std::string& text, const std::regex& expression) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  return found;
}

// The first table: resources in back quotes, verbs, reason.
Rights written_down() {
  std::ifstream page(std::string(KEELSON_SOURCE_DIR) + "/docs/security.md");
  const std::regex row(R"(\| (`[^|]+`) \| ([^|]+) \| ([^|]+) \|)");
  Rights rights;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    const bool is_head = line == "| resource | verbs | why |";
    if (is_inside && !line.starts_with("|")) break;
    is_inside = is_inside || is_head;
    std::smatch cells;
    if (!is_inside || !std::regex_match(line, cells, row)) continue;
    const auto verbs = all_matches(cells[2], std::regex("([a-z]+)"));
    for (const auto& resource : all_matches(cells[1], std::regex("`([^`]+)`"))) rights[resource] = verbs;
  }
  return rights;
}

}  // namespace

TEST_CASE("the table of docs/security.md has exactly the manager's permissions, each with its reason") {
  const auto rights = granted();
  const auto page = written_down();
  REQUIRE_FALSE(page.empty());
  for (const auto& [resource, verbs] : rights) {
    INFO(resource << ": " << base::join({verbs.begin(), verbs.end()}, ", "));
    REQUIRE(page.contains(resource));
    CHECK(page.at(resource) == verbs);
  }
  for (const auto& [resource, verbs] : page) {
    INFO("the page names " << resource);
    CHECK(rights.contains(resource));
  }
}
