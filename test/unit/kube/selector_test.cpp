#include "keelson/kube/selector.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

Object labelled(std::string_view labels) {
  auto object = Object::from_json(R"({"metadata":{"name":"a","labels":)" + std::string(labels) + "}}");
  REQUIRE(object);
  return *object;
}

TEST_CASE("selectors are parsed as in kubectl and written for the API server") {
  struct Row {
    const char* text;
    const char* canonical;
  };
  const Row rows[] = {
      {"", ""},
      {"  ", ""},
      {"app=web", "app=web"},
      {"app==web", "app=web"},
      {" app = web , tier != db ", "app=web,tier!=db"},
      {"tier in (b, a,b)", "tier in (a,b)"},
      {"tier notin(a)", "tier notin (a)"},
      {"tier in ()", "tier in ()"},
      {"tier in (,a)", "tier in (,a)"},
      {"app=", "app="},
      {"app=,x", "app=,x"},
      {"x,!old,! older", "x,!old,!older"},
      {"in in (in,notin)", "in in (in,notin)"},
      {"app.kubernetes.io/name=keelson", "app.kubernetes.io/name=keelson"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    auto selector = Selector::parse(row.text);
    REQUIRE(selector);
    CHECK(selector->text() == row.canonical);
    auto again = Selector::parse(selector->text());
    REQUIRE(again);
    CHECK(*again == *selector);
  }
}

TEST_CASE("an invalid selector is rejected with the place of the error") {
  struct Row {
    const char* text;
    const char* error;
  };
  const Row rows[] = {
      {"app=web,", "found '', expected: identifier after ','"},
      {",app", "unable to parse requirement: found ',', expected: identifier"},
      {"app web", "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"},
      {"app>1", "unable to parse requirement: found '>', expected: in, notin, =, ==, !=, gt, lt"},
      {"app in a", "unable to parse requirement: found 'a', expected: '('"},
      {"app in (a", "unable to parse requirement: found '', expected: ',' or ')'"},
      {"app in (a b)", "unable to parse requirement: found 'b', expected: ',' or ')'"},
      {"!app=x", "found '=', expected: ',' or 'end of string'"},
      {"app=a=b", "found '=', expected: ',' or 'end of string'"},
      {"-app", "unable to parse requirement: invalid label key: '-app'"},
      {"a/b/c", "unable to parse requirement: invalid label key: 'a/b/c'"},
      {"app=a/b", "unable to parse requirement: invalid label value: 'a/b'"},
      {"app in (x,a/b)", "unable to parse requirement: invalid label value: 'a/b'"},
      {"app notin (a/b)", "unable to parse requirement: invalid label value: 'a/b'"},
      {"!", "unable to parse requirement: found '', expected: identifier"},
      {"((", "unable to parse requirement: found '(', expected: identifier"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    auto selector = Selector::parse(row.text);
    REQUIRE_FALSE(selector);
    CHECK(selector.error().kind == Error::Kind::kInvalid);
    CHECK(selector.error().text == row.error);
  }
}

TEST_CASE("a label of 63 characters is the longest") {
  std::string longest(63, 'a');

  CHECK(Selector::parse(longest + "=" + longest));
  CHECK_FALSE(Selector::parse(longest + "a"));
  CHECK_FALSE(Selector::parse("a=" + longest + "a"));
}

TEST_CASE("a selector matches in memory as in the API server") {
  auto object = labelled(R"({"app":"web","tier":"front","empty":"","q":"a\"b"})");
  struct Row {
    const char* text;
    bool matches;
  };
  const Row rows[] = {
      {"", true},
      {"app=web", true},
      {"app=db", false},
      {"app", true},
      {"!app", false},
      {"missing", false},
      {"!missing", true},
      {"missing=", false},
      {"empty=", true},
      {"app!=db", true},
      {"app!=web", false},
      {"missing!=web", true},
      {"tier in (back,front)", true},
      {"tier in (back)", false},
      {"missing in (a)", false},
      {"tier notin (back)", true},
      {"tier notin (front)", false},
      {"missing notin (a)", true},
      {"app=web,tier=front", true},
      {"app=web,tier=back", false},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    auto selector = Selector::parse(row.text);
    REQUIRE(selector);
    CHECK(selector->matches(object) == row.matches);
  }
}

TEST_CASE("selectors made in code equal parsed ones") {
  CHECK(Selector::equals({{"app", "web"}, {"tier", "a"}}) == *Selector::parse("app=web,tier=a"));
  CHECK(Selector::exists({"app", "tier"}) == *Selector::parse("app,tier"));
  CHECK(Selector().empty());
  CHECK_FALSE(Selector::exists({"app"}).empty());
}

TEST_CASE("a literal that compiles as a selector can be parsed") {
  for (const char* text : {"app=web", "app==web", " app = web , !old", "tier in (back,front),app", "tier notin (back)",
                           "example.com/app=web", "missing=", "app!=web", "tier in ()", "a in (b, c)"}) {
    INFO(text);
    CHECK(detail::is_selector(text));
    CHECK(Selector::parse(text).has_value());
  }
  for (const char* text :
       {"app in web", "app=web tier=a", "=web", "app=a,,b", "app in (a", "app=a b", "Example.com/a=b", "!"}) {
    INFO(text);
    CHECK_FALSE(detail::is_selector(text));
  }
  CHECK("app=web,tier=a"_selector == *Selector::parse("app=web,tier=a"));
}

TEST_CASE("an object without labels matches only requirements of their absence") {
  auto object = Object::from_json(R"({"metadata":{"name":"a"}})");
  REQUIRE(object);

  CHECK(Selector::parse("!app")->matches(*object));
  CHECK_FALSE(Selector::parse("app")->matches(*object));
}

}  // namespace
}  // namespace keelson::kube
