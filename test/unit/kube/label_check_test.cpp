// Selectors from requirements, with the errors of apimachinery.
#include "src/kube/label_check.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

namespace keelson::kube {
namespace {

using Operator = Selector::Requirement::Operator;

// The texts are those of labels.NewRequirement in apimachinery 0.36.
TEST_CASE("an invalid requirement is rejected with the text of apimachinery") {
  const std::string name_part =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
      "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const std::string value_text =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
      "and "
      "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  const std::string prefix_text =
      "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
      "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  const std::string long_name(64, 'a');
  struct Row {
    Selector::Requirement requirement;
    std::string error;
  };
  const Row rows[] = {
      {{"app", Operator::kIn, {}},
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {{"app", Operator::kNotIn, {}},
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {{"app", Operator::kExists, {"a", "b"}},
       R"(values: Invalid value: ["a","b"]: values set must be empty for exists and does not exist)"},
      {{"app", Operator::kNotExists, {""}},
       R"(values: Invalid value: [""]: values set must be empty for exists and does not exist)"},
      {{"app", Operator::kEquals, {}},
       "values: Invalid value: null: exact-match compatibility requires one single value"},
      {{"a b", Operator::kExists, {}}, R"(key: Invalid value: "a b": )" + name_part},
      {{"", Operator::kExists, {}}, R"(key: Invalid value: "": name part must be non-empty; )" + name_part},
      {{long_name, Operator::kExists, {}},
       "key: Invalid value: \"" + long_name + "\": name part must be no more than 63 bytes"},
      {{"/a", Operator::kExists, {}}, R"(key: Invalid value: "/a": prefix part must be non-empty)"},
      {{"A/a", Operator::kExists, {}}, R"(key: Invalid value: "A/a": )" + prefix_text},
      {{"a/b/c", Operator::kExists, {}},
       R"(key: Invalid value: "a/b/c": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and )"
       "must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
       "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. "
       "'example.com/MyName')"},
      {{"app", Operator::kIn, {"ok", "a b"}}, R"(values[1][app]: Invalid value: "a b": )" + value_text},
      {{"app", Operator::kEquals, {long_name}},
       "values[0][app]: Invalid value: \"" + long_name + "\": must be no more than 63 bytes"},
      {{"a b", Operator::kIn, {}},
       R"([key: Invalid value: "a b": )" + name_part +
           ", values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty]"},
  };
  for (const auto& row : rows) {
    INFO(row.error);
    const auto selector = Selector::of({row.requirement});
    REQUIRE_FALSE(selector);
    CHECK(selector.error().kind == Error::Kind::kInvalid);
    CHECK(selector.error().text == row.error);
  }
}

TEST_CASE("valid requirements are sorted by label, and their values too") {
  const auto selector = Selector::of({{"tier", Operator::kIn, {"web", "db"}},
                                      {"example.com/app", Operator::kEquals, {""}},
                                      {"app", Operator::kNotExists, {}},
                                      {"app", Operator::kExists, {}}});

  REQUIRE(selector);
  CHECK(selector->text() == "!app,app,example.com/app=,tier in (db,web)");
}

TEST_CASE("the selector of nothing matches nothing, in memory and as a text") {
  const auto nothing = Selector::nothing();
  CHECK_FALSE(nothing.empty());
  CHECK_FALSE(nothing.matches(std::map<std::string, std::string>{}));
  CHECK_FALSE(nothing.matches({{"keelson.dev/nothing", "x"}}));
  CHECK(nothing.text() == "keelson.dev/nothing,!keelson.dev/nothing");
  CHECK(Selector::parse(nothing.text()).value() == nothing);
}

TEST_CASE("the labels of a struct are matched as those of an object") {
  const auto selector = Selector::parse("app=web,tier!=db,team").value();
  CHECK(selector.matches({{"app", "web"}, {"team", ""}}));
  CHECK_FALSE(selector.matches({{"app", "web"}, {"tier", "db"}, {"team", ""}}));
  CHECK_FALSE(selector.matches({{"app", "web"}}));
}

}  // namespace
}  // namespace keelson::kube
