#include <catch2/catch_test_macros.hpp>

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
