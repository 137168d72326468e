#include "keelson/detail/base/random.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

using keelson::base::Random;

namespace {

bool is_version_4_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view allowed = "0123456789abcdef";
    if (i == 8 || i == 13 || i == 18 || i == 23) allowed = "-";
    if (i == 14) allowed = "4";
    if (i == 19) allowed = "89ab";
    if (allowed.find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a uuid has the form of version 4 and variant 1") {
  Random random(42);

  for (int i = 0; i < 1000; ++i) {
    auto uuid = random.uuid();
    INFO(uuid);
    CHECK(is_version_4_uuid(uuid));
  }
}

TEST_CASE("uuids do not repeat") {
  Random random(42);

  std::set<std::string> seen;
  for (int i = 0; i < 10000; ++i) seen.insert(random.uuid());

  CHECK(seen.size() == 10000);
}

TEST_CASE("the same seed gives the same sequence, and another seed another one") {
  Random first(5);
  Random second(5);
  Random third(6);

  auto uuid = first.uuid();

  CHECK(second.uuid() == uuid);
  CHECK(third.uuid() != uuid);
  CHECK(first.unit() == second.unit());
}

TEST_CASE("unit() returns values from 0 to below 1, in both halves") {
  Random random(3);
  int upper = 0;

  for (int i = 0; i < 1000; ++i) {
    double value = random.unit();
    CHECK((value >= 0 && value < 1));
    upper += value >= 0.5 ? 1 : 0;
  }

  CHECK((upper > 400 && upper < 600));
}

TEST_CASE("between() includes both of its bounds") {
  Random random(3);

  std::set<std::int64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.between(-1, 2));

  CHECK(seen == std::set<std::int64_t>{-1, 0, 1, 2});
}
