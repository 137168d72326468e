#include "keelson/detail/schema/described_changes.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace keelson::kube {
namespace {

struct Berth {
  std::int32_t number = 0;
};

void describe(Description& d, Berth& berth) { d.field("number", berth.number, ""); }

struct Ship {
  std::int32_t crew = 0;
  std::string name;
  std::optional<std::string> flag;
  std::optional<Berth> berth;
  Berth home;
  std::vector<std::string> cargo;
  std::map<std::string, std::string> papers;
};

void describe(Description& d, Ship& ship) {
  d.field("crew", ship.crew, "");
  d.field("name", ship.name, "");
  d.field("flag", ship.flag, "");
  d.field("berth", ship.berth, "");
  d.field("home", ship.home, "");
  d.field("cargo", ship.cargo, "");
  d.field("papers", ship.papers, "");
}

std::vector<DescribedChange> changes(const Ship& before, const Ship& after) {
  return described_changes(type_of<Ship>(), &before, &after);
}

TEST_CASE("equal structs have no changed fields") {
  Ship ship{3, "Anna", "fi", Berth{4}, {1}, {"tar"}, {{"class", "A"}}};

  CHECK(changes(ship, ship).empty());
  CHECK(changes(Ship(), Ship()).empty());
}

TEST_CASE("each changed field is reported with its values before and after") {
  const Ship before{3, "Anna", "fi", Berth{4}, {1}, {"tar"}, {{"class", "A"}}};
  struct Row {
    std::string name, before, after;
    void (*change)(Ship& ship);
  };
  const Row rows[] = {
      {"crew", "3", "5", [](Ship& ship) { ship.crew = 5; }},
      {"name", R"("Anna")", R"("Elsa")", [](Ship& ship) { ship.name = "Elsa"; }},
      {"flag", R"("fi")", "none", [](Ship& ship) { ship.flag.reset(); }},
      {"berth", R"({"number":4})", R"({"number":5})", [](Ship& ship) { ship.berth->number = 5; }},
      {"home", R"({"number":1})", R"({"number":2})", [](Ship& ship) { ship.home.number = 2; }},
      {"cargo", R"(["tar"])", R"(["tar","salt"])", [](Ship& ship) { ship.cargo.emplace_back("salt"); }},
      {"cargo", R"(["tar"])", R"(["salt"])", [](Ship& ship) { ship.cargo[0] = "salt"; }},
      {"papers", R"({"class":"A"})", R"({"class":"B"})", [](Ship& ship) { ship.papers["class"] = "B"; }},
      {"papers", R"({"class":"A"})", R"({"rank":"A"})",
       [](Ship& ship) {
         ship.papers = {{"rank", "A"}};
       }},
  };

  for (const auto& row : rows) {
    INFO(row.name << " to " << row.after);
    Ship after = before;
    row.change(after);
    const auto changed = changes(before, after);
    REQUIRE(changed.size() == 1);
    CHECK(changed[0].name() == row.name);
    CHECK(changed[0].before().value_or("none") == row.before);
    CHECK(changed[0].after().value_or("none") == row.after);
  }
}

TEST_CASE("changed fields are sorted by name, and report whether they have members, also in an optional") {
  const Ship after{3, "Anna", "fi", Berth{4}, {1}, {"tar"}, {{"class", "A"}}};

  std::string found;
  for (const auto& change : changes(Ship(), after)) {
    found += std::string(change.name()) + (change.has_members() ? "* " : " ");
  }

  CHECK(found == "berth* cargo* crew flag home* name papers* ");
}

}  // namespace
}  // namespace keelson::kube
