// Groups of objects with one value, small and large.
#include "src/cache/index.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/support/count_steps.hpp"

namespace keelson::cache {
namespace {

kube::Object pod(std::size_t number, const std::string& app = "web") {
  const auto name = "p" + std::to_string(number);
  auto object = kube::Object::from_json(R"({"metadata":{"name":")" + name + R"(","labels":{"app":")" + app + "\"}}}");
  REQUIRE(object);
  return std::move(*object);
}

std::vector<kube::Object> pods(std::size_t count) {
  std::vector<kube::Object> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(pod(i));
  return made;
}

Index index_of_apps() {
  return {"app", [](const kube::Object& object) { return std::vector{object.label("app").value_or("")}; }};
}

std::vector<std::string> names_in(const Index& index) {
  std::vector<std::string> names;
  for (const auto& object : index.find("web")) names.emplace_back(object.name());
  std::ranges::sort(names);
  return names;
}

TEST_CASE("an index of a few and of many objects finds what was added, replaced and not removed") {
  for (const std::size_t count : {3U, 64U, 65U, 200U}) {
    INFO(count);
    auto index = index_of_apps();
    auto objects = pods(count);
    for (const auto& object : objects) index.add(object);
    REQUIRE(names_in(index).size() == count);

    const auto newer = pod(0);
    index.replace(objects[0], newer);
    index.remove(objects[1]);
    index.remove(objects[1]);  // nothing is left of it
    index.add(pod(count, "other"));
    CHECK(names_in(index).size() == count - 1);
    const auto left = names_in(index);
    CHECK(std::ranges::find(left, "p1") == left.end());

    index.remove(newer);
    for (std::size_t i = 2; i < count; ++i) index.remove(objects[i]);
    CHECK(names_in(index).empty());
  }
}

TEST_CASE("an object with a value twice is in the index once") {
  Index index("twice", [](const kube::Object&) { return std::vector<std::string>{"web", "other", "web"}; });
  const auto object = pod(1);
  index.add(object);
  CHECK(index.find("web").size() == 1);

  index.remove(object);

  CHECK(index.find("web").empty());
  CHECK(index.find("other").empty());
}

TEST_CASE("the objects of one value are replaced and removed in steps in proportion to their number") {
  testing::check_linear("one value", 1'000, [](std::size_t count) -> std::function<void()> {
    return [count, objects = pods(count), newer = pods(count)] {
      auto index = index_of_apps();
      for (const auto& object : objects) index.add(object);
      for (std::size_t i = 0; i < count; ++i) index.replace(objects[i], newer[i]);
      for (const auto& object : newer) index.remove(object);
      CHECK(index.find("web").empty());
    };
  });
}

}  // namespace
}  // namespace keelson::cache
