#include "keelson/kube/selector.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "keelson/detail/base/misuse.hpp"

namespace keelson::kube {
namespace {

using Match = FieldSelector::Match;

TEST_CASE("field selectors are parsed and written as in the API server") {
  struct Row {
    const char* text;
    const char* canonical;
  };
  const Row rows[] = {
      {"", ""},
      {"spec.nodeName=node-1", "spec.nodeName=node-1"},
      {"spec.nodeName==node-1", "spec.nodeName=node-1"},
      {"status.phase!=Failed,spec.nodeName=n", "status.phase!=Failed,spec.nodeName=n"},
      {"metadata.name=a,", "metadata.name=a"},
      {",metadata.name=a", "metadata.name=a"},
      {"spec.nodeName=", "spec.nodeName="},
      {R"(spec.color=a\,b\=c\\d)", R"(spec.color=a\,b\=c\\d)"},
      {"spec.color!=!", "spec.color!=!"},
      {"spec.color= blue", "spec.color= blue"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    const auto selector = FieldSelector::parse(row.text);
    REQUIRE(selector);
    CHECK(selector->text() == row.canonical);
    CHECK(*FieldSelector::parse(selector->text()) == *selector);
    CHECK(detail::is_field_selector(row.text));
  }
}

TEST_CASE("the error of an invalid field selector has the reason") {
  struct Row {
    const char* text;
    const char* error;
  };
  const Row rows[] = {
      {"spec.nodeName", "can't understand \"spec.nodeName\", expected =, == or !="},
      {"a=b,c", "can't understand \"c\", expected =, == or !="},
      {"=a", "\"\" is not a path of fields such as spec.nodeName"},
      {"spec nodeName=a", "\"spec nodeName\" is not a path of fields"},
      {".spec=a", "\".spec\" is not a path of fields"},
      {"spec.=a", "\"spec.\" is not a path of fields"},
      {"spec.color=a=b", "the value \"a=b\" has a comma, = or \\ that is not escaped"},
      {R"(spec.color=a\b)", R"(the value "a\b" has a comma)"},
      {R"(spec.color=a\)", R"(the value "a\" has a comma)"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    const auto selector = FieldSelector::parse(row.text);
    REQUIRE_FALSE(selector);
    INFO(selector.error().text);
    CHECK(selector.error().text.starts_with("invalid field selector \"" + std::string(row.text) + "\": "));
    CHECK(selector.error().text.find(row.error) != std::string::npos);
    CHECK_FALSE(detail::is_field_selector(row.text));
  }
}

TEST_CASE("values are escaped, and an invalid path is a misuse") {
  const auto selector = FieldSelector::equals({{"spec.nodeName", "n"}, {"spec.color", R"(a,b=c\d)"}});

  CHECK(selector.text() == R"(spec.nodeName=n,spec.color=a\,b\=c\\d)");
  CHECK(selector == R"(spec.nodeName=n,spec.color=a\,b\=c\\d)"_fields);
  CHECK_THROWS_AS(FieldSelector::equals({{"spec nodeName", "n"}}), base::Misuse);
}

TEST_CASE("an object is matched in memory where the API server's decision is certain") {
  const auto pod = Object::from_json(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"ns"},"spec":{"nodeName":"n",)"
      R"("hostNetwork":true,"priority":3,"tolerations":[]},"status":{"phase":"Running"},"source":{"component":"c"}})");
  const auto partial = Object::from_json(
      R"({"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"a","namespace":"ns"}})");
  REQUIRE(pod);
  REQUIRE(partial);
  struct Row {
    const char* text;
    Match whole;
    Match of_partial;
  };
  const Row rows[] = {
      {"", Match::kYes, Match::kYes},
      {"metadata.name=a,metadata.namespace=ns", Match::kYes, Match::kYes},
      {"metadata.name!=a", Match::kNo, Match::kNo},
      {"metadata.namespace=other,spec.nodeName=n", Match::kNo, Match::kNo},
      {"spec.nodeName=n", Match::kYes, Match::kUnknown},
      {"spec.nodeName=m", Match::kNo, Match::kUnknown},
      {"spec.nodeName!=m,status.phase!=Failed", Match::kYes, Match::kUnknown},
      {"spec.hostNetwork=true", Match::kYes, Match::kUnknown},
      {"spec.priority=3", Match::kYes, Match::kUnknown},
      // An absent field is empty, "false" or "0".
      {"status.podIP=", Match::kYes, Match::kUnknown},
      {"status.podIP=10.0.0.1", Match::kNo, Match::kUnknown},
      {"status.podIP!=10.0.0.1", Match::kYes, Match::kUnknown},
      {"spec.unschedulable=false", Match::kUnknown, Match::kUnknown},
      {"status.replicas!=0", Match::kUnknown, Match::kUnknown},
      // These have another location in the object.
      {"status.successful=1", Match::kUnknown, Match::kUnknown},
      {"source=c", Match::kUnknown, Match::kUnknown},
      {"spec.tolerations=x", Match::kUnknown, Match::kUnknown},
      {"status.successful=1,spec.nodeName=m", Match::kNo, Match::kUnknown},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    const auto selector = FieldSelector::parse(row.text);
    REQUIRE(selector);
    CHECK(selector->match(*pod) == row.whole);
    CHECK(selector->match(*partial) == row.of_partial);
  }
}

}  // namespace
}  // namespace keelson::kube
