#include "keelson/api/label_selector.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>

namespace keelson::kube {
namespace {

using meta::v1::LabelSelector;

TEST_CASE("a LabelSelector becomes a Selector: absent selects nothing, empty everything") {
  std::optional<LabelSelector> absent;
  Box<LabelSelector> absent_box;
  CHECK(selector_of(absent).value() == Selector::nothing());
  CHECK(selector_of(absent_box).value() == Selector::nothing());
  CHECK(selector_of(std::optional(LabelSelector())).value().empty());
  CHECK(selector_of(LabelSelector()).value().empty());
  Box<LabelSelector> box(LabelSelector{.match_labels = {{"b", "1"}, {"a", "2"}}});
  CHECK(selector_of(box).value().text() == "a=2,b=1");

  LabelSelector all;
  all.match_expressions = {
      {"a", "In", {"x", "y"}}, {"b", "NotIn", {"z"}}, {"c", "Exists", {}}, {"d", "DoesNotExist", {}}};
  CHECK(selector_of(all).value().text() == "a in (x,y),b notin (z),c,!d");

  LabelSelector wrong;
  wrong.match_expressions = {{"a", "in", {"x"}}};
  CHECK(selector_of(wrong).error().text == R"("in" is not a valid label selector operator)");
}

}  // namespace
}  // namespace keelson::kube
