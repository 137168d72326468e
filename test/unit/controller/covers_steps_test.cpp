// The work of comparing a child grows with its size, not faster: users of a namespace write both sides.
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "src/controller/child.hpp"
#include "test/support/count_steps.hpp"

namespace {

using namespace keelson;

using ItemOf = std::function<std::string(std::size_t)>;

// `count` items in one order or the reverse, which is the worst for a search.
std::string items(std::size_t count, bool is_reversed, const ItemOf& item) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item(is_reversed ? count - 1 - i : i);
  return text;
}

void check_covers(const std::string& before, const ItemOf& item, const std::string& after) {
  const auto prepare = [&](std::size_t count) -> std::function<void()> {
    const auto parsed = [&](bool is_reversed) {
      auto document = json::Document::parse(before + items(count, is_reversed, item) + after);
      REQUIRE(document);
      return std::make_shared<json::Document>(std::move(*document));
    };
    return
        [actual = parsed(true), wanted = parsed(false)] { CHECK(controller::covers(actual->root(), wanted->root())); };
  };
  testing::check_linear(before, 4'000, prepare);
}

}  // namespace

TEST_CASE("the comparison of a list with keys takes steps in proportion to its length") {
  const auto named = [](std::size_t i) { return R"({"name":"E)" + std::to_string(i) + R"(","value":"1000m"})"; };
  check_covers(R"({"env":[)", named, "]}");
  check_covers(R"({"volumes":[)", named, "]}");
  const auto port = [](std::size_t i) { return R"({"containerPort":)" + std::to_string(i) + "}"; };
  check_covers(R"({"ports":[)", port, "]}");
}

TEST_CASE("the comparison of a set and of a map takes steps in proportion to its length") {
  check_covers(R"({"finalizers":[)", [](std::size_t i) { return "\"f/" + std::to_string(i) + '"'; }, "]}");
  const auto member = [](std::size_t i) { return "\"k" + std::to_string(i) + R"(":"v")"; };
  check_covers(R"({"data":{)", member, "}}");
  check_covers(R"({"nodeSelector":{)", member, "}}");
  check_covers(R"({"selector":{"matchLabels":{)", member, "}}}");
}
