// The table of permissions in docs/security.md against the generated role: each permission has a reason. A row of
// `KIND` is about the kinds of all controllers that have no row of their own.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "src/kinds/built_in.hpp"

namespace {

using namespace keelson;

using Verbs = std::set<std::string>;
using Rights = std::map<std::string, Verbs>;  // by "deployments.apps"

const std::string kKind = "KIND";

Rights granted() {
  Rights rights;
  for (const auto& rule : controller::manager_rules(kinds::built_in())) {
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

// "memcacheds/status.memcached.cache.example.com" for "KIND/status".
std::string permission_of(const std::string& row, const kube::Resource& kind) {
  return kind.plural + row.substr(kKind.size()) + "." + kind.group;
}

Rights for_every_kind(const Rights& rows) {
  Rights rights;
  for (const auto& [row, verbs] : rows) {
    if (!row.starts_with(kKind)) rights[row] = verbs;
  }
  for (const auto& [row, verbs] : rows) {
    if (!row.starts_with(kKind)) continue;
    for (const auto& definition : kinds::built_in()) {
      rights.emplace(permission_of(row, definition.resource()), verbs);
    }
  }
  return rights;
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
  return for_every_kind(rights);
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
