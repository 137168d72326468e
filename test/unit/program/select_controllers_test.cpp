#include <catch2/catch_test_macros.hpp>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/program/flags.hpp"

using keelson::program::select_controllers;
using Names = std::vector<std::string>;

namespace {
const Names kKnown{"cronjob", "hikawa", "memcached"};
}

TEST_CASE("controllers are selected by star, by name and by exclusion, in their known order") {
  struct Row {
    const char* spec;
    Names selected;
  };
  const Row rows[] = {{"*", kKnown},
                      {"memcached", {"memcached"}},
                      {"memcached,cronjob", {"cronjob", "memcached"}},
                      {" memcached , memcached,", {"memcached"}},
                      {"*,-hikawa", {"cronjob", "memcached"}},
                      {"-hikawa,*", {"cronjob", "memcached"}},
                      {"-hikawa", {"cronjob", "memcached"}},
                      {"-hikawa,-cronjob", {"memcached"}},
                      {"cronjob,-hikawa", {"cronjob"}},
                      {"*,memcached", kKnown}};
  for (const auto& row : rows) {
    INFO(row.spec);
    auto selected = select_controllers(row.spec, kKnown);
    REQUIRE(selected.has_value());
    CHECK(*selected == row.selected);
  }
}

TEST_CASE("an invalid selection is an error that names the known controllers") {
  struct Row {
    const char* spec;
    const char* message;
  };
  const Row rows[] = {
      {"memcache", "unknown controller \"memcache\" (known: cronjob, hikawa, memcached)\ndid you mean memcached?"},
      {"*,-zundoko", "unknown controller \"zundoko\" (known: cronjob, hikawa, memcached)"},
      {"Memcached", "unknown controller \"Memcached\" (known: cronjob, hikawa, memcached)\ndid you mean memcached?"},
      {"-", "unknown controller \"\" (known: cronjob, hikawa, memcached)"},
      {"", "no controller is selected by \"\" (known: cronjob, hikawa, memcached)"},
      {"hikawa,-hikawa", "no controller is selected by \"hikawa,-hikawa\" (known: cronjob, hikawa, memcached)"}};
  for (const auto& row : rows) {
    auto selected = select_controllers(row.spec, kKnown);
    REQUIRE_FALSE(selected.has_value());
    CHECK(selected.error().message() == row.message);
  }
}

TEST_CASE("definitions are selected by their names, and a program without controllers has none to select") {
  using namespace keelson;
  const auto define = [](const char* kind, const char* plural) {
    return controller::define(kube::Resource("sea.example.com", "v1", kind, plural));
  };
  const std::vector<controller::Definition> all{define("Boat", "boats"), define("Buoy", "buoys"),
                                                define("Quay", "quays")};

  const auto selected = select_controllers("-buoy", all);
  REQUIRE(selected);
  REQUIRE(selected->size() == 2);
  CHECK((*selected)[0].name() == "boat");
  CHECK((*selected)[1].name() == "quay");

  const std::vector<controller::Definition> none;
  CHECK(select_controllers("*", none)->empty());
  CHECK(select_controllers("boat", none).error().text.starts_with("unknown controller \"boat\""));
}
