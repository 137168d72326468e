// The work on an object grows with its size, not faster: any user with a namespace writes objects of 1.5 MB.
#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/object.hpp"
#include "test/support/count_steps.hpp"

namespace keelson::kube {
namespace {

// Texts that occur in each other as often as possible: a search for one of them stops at all the others.
std::string owners(std::size_t count, const std::string& letter) {
  std::string repeated;
  for (int i = 0; i < 24; ++i) repeated += letter;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += std::string(i == 0 ? "" : ",") + R"({"apiVersion":"example.com/v1","kind":"Unknown","name":")" + repeated +
            R"(","uid":")" + repeated + std::to_string(i) + R"("})";
  }
  return text;
}

void check_owners(const std::string& letter) {
  testing::check_linear("owners of " + letter, 1'200, [&](std::size_t count) -> std::function<void()> {
    const auto json = R"({"metadata":{"name":"a","ownerReferences":[)" + owners(count, letter) + "]}}";
    return [json, count] {
      const auto object = Object::from_json(json);
      REQUIRE(object);
      std::size_t visited = 0;
      std::string last;
      object->for_each_owner([&](const OwnerReference& owner) {
        last = owner.uid;
        ++visited;
      });
      CHECK(visited == count);
      CHECK(last.ends_with("a" + std::to_string(count - 1)));
    };
  });
}

TEST_CASE("the owners of an object take steps in proportion to their number, as plain and as escaped texts") {
  check_owners("a");
  check_owners(R"(\u0061)");
}

TEST_CASE("the labels and annotations of an object take steps in proportion to their number") {
  testing::check_linear("labels", 2'000, [](std::size_t count) -> std::function<void()> {
    std::string labels;
    for (std::size_t i = 0; i < count; ++i) labels += (i == 0 ? "\"l" : ",\"l") + std::to_string(i) + R"(":"v\u0061")";
    const auto json = R"({"metadata":{"name":"a","labels":{)" + labels + R"(},"annotations":{)" + labels + "}}}";
    return [json, count] {
      const auto object = Object::from_json(json);
      REQUIRE(object);
      std::size_t visited = 0;
      object->for_each_label([&](std::string_view, std::string_view) { ++visited; });
      CHECK(visited == count);
      CHECK(object->annotation("l" + std::to_string(count - 1)) == "va");
    };
  });
}

}  // namespace
}  // namespace keelson::kube
