// Constraints that do not fit their field are a misuse when the schema is generated.
#include "src/schema/constraint_check.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::kube {
namespace {

struct Entry {
  std::string name;
  std::optional<std::string> zone;
};
void describe(Description& d, Entry& entry) {
  d.field("name", entry.name, "").required();
  d.field("zone", entry.zone, "");
}

// A struct with a description of the test.
struct Subject {
  std::string text;
  std::optional<std::int32_t> number;
  std::int64_t large = 0;
  std::vector<std::string> list;
  std::vector<Entry> entries;
  std::map<std::string, std::string> map;
  RawJson raw;
  Entry entry;
  Quantity amount;

  static inline void (*describe_it)(Description& d, Subject& subject) = nullptr;
};
void describe(Description& d, Subject& subject) { Subject::describe_it(d, subject); }

// The error of a subject with this description, without its first words; empty if there is none.
std::string mistake(void (*describe_it)(Description& d, Subject& subject)) {
  Subject::describe_it = describe_it;
  Subject subject;
  const Description description(subject);
  static const Description* current = nullptr;
  current = &description;
  Type type = type_of<Subject>();
  type.describe = []() -> const Description& { return *current; };
  try {
    detail::check_constraints(type, "Subject");
  } catch (const base::Misuse& misuse) {
    const std::string text = misuse.what();
    CHECK(text.starts_with("describe(Subject): "));
    return text.substr(19);
  }
  return {};
}

TEST_CASE("constraints that fit their fields are accepted") {
  CHECK(
      mistake([](Description& d, Subject& s) {
        d.field("text", s.text, "").min_length(1).max_length(9).pattern("^a").format("uri").title("T").example("\"a\"");
        d.field("number", s.number, "").minimum(0).maximum(10).multiple_of(5).one_of({0, 5}).default_value("5");
        d.field("list", s.list, "").list_type(ListType::kSet).min_items(1).max_items(3).items().min_length(1);
        d.field("entries", s.entries, "").list_map({"name"}).default_value(R"([{"name": "a"}])");
        d.field("map", s.map, "").min_properties(1).max_properties(4).map_type(MapType::kAtomic);
        d.field("raw", s.raw, "").embedded_resource().max_properties(9);
        d.field("entry", s.entry, "").map_type(MapType::kGranular).preserve_unknown_fields();
        d.field("amount", s.amount, "").default_value("\"1Gi\"");
        d.at_most_one_of({"text", "number"});
      }) == "");
}

TEST_CASE("a constraint that does not fit its field is rejected with the name of the field") {
  CHECK(mistake([](Description& d, Subject& s) { d.field("text", s.text, "").minimum(1); }) ==
        "the field \"text\": minimum() or maximum() is for numbers: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").pattern("a"); }) ==
        "the field \"number\": pattern() is for strings: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) { d.field("list", s.list, "").items().multiple_of(2); }) ==
        "the field \"list[]\": multiple_of() is for numbers: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) { d.field("map", s.map, "").max_items(2); }) ==
        "the field \"map\": min_items() or max_items() is for lists: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) { d.field("text", s.text, "").items().min_length(1); }) ==
        "the field \"text\": items() is for lists and maps: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) { d.field("text", s.text, "").embedded_resource(); }) ==
        "the field \"text\": embedded_resource() is for RawJson: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").one_of({"a"}); }) ==
        "the field \"number\": one_of() with texts is for strings: remove it, or change the type");
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("entry", s.entry, "").min_properties(1);
        }).find("for a struct: d.at_least_one_of") != std::string::npos);
}

TEST_CASE("limits that no value satisfies, and factors that the API server ignores, are rejected") {
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").minimum(3).maximum(2); }) ==
        "the field \"number\": no value is valid: the minimum number exceeds the maximum");
  CHECK(mistake([](Description& d, Subject& s) { d.field("list", s.list, "").min_items(3).max_items(2); }) ==
        "the field \"list\": no value is valid: the minimum number of items exceeds the maximum");
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").multiple_of(0.5); }) ==
        "the field \"number\": multiple_of() takes a whole number above 0: the API server drops the fraction of any "
        "other");
}

TEST_CASE("a pattern that is not a regular expression is rejected before it is matched") {
  try {
    static_cast<void>(detail::compiled("(a"));
    FAIL("it compiled");
  } catch (const base::Misuse& misuse) {
    CHECK(std::string(misuse.what()).starts_with("describe: the pattern (a is not a regular expression"));
  }
}

TEST_CASE("a list that is a set or map needs items that can be compared") {
  CHECK(mistake([](Description& d, Subject& s) { d.field("entries", s.entries, "").list_map({"nam"}); }) ==
        "the field \"entries\": the key \"nam\" of list_map() is not a field of the items (did you mean name?)");
  CHECK(mistake([](Description& d, Subject& s) { d.field("entries", s.entries, "").list_map({"zone"}); }) ==
        "the field \"entries\": the key \"zone\" of list_map() may be missing in an item: describe it as required(), "
        "or with "
        "a default_value()");
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("entries", s.entries, "").list_map({"name", "name"});
        }) == "the field \"entries\": the key \"name\" of list_map() is listed twice");
  CHECK(mistake([](Description& d, Subject& s) { d.field("list", s.list, "").list_map({"name"}); }) ==
        "the field \"list\": list_map() needs a list of described structs");
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("entries", s.entries, "").list_type(ListType::kMap);
        }).find("needs its keys") != std::string::npos);
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("entries", s.entries, "").list_type(ListType::kSet);
        }).find("add .items().map_type(kube::MapType::kAtomic)") != std::string::npos);
}

TEST_CASE("a default must be a valid value of its field") {
  CHECK(
      mistake([](Description& d, Subject& s) { d.field("number", s.number, "").maximum(3).default_value("4"); }) ==
      "the field \"number\": its default 4 is not valid: number: Invalid value: 4: should be less than or equal to 3");
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").default_value("\"4\""); }) ==
        "the field \"number\": its default \"4\" is not valid: number: expected an integer, found a string");
  CHECK(mistake([](Description& d, Subject& s) { d.field("entry", s.entry, "").default_value(R"({"nam":"a"})"); }) ==
        "the field \"entry\": its default has the unknown field \"nam\"");
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").default_value("null"); }) ==
        "the field \"number\": its default is null: add nullable(), or remove the default");
  CHECK(mistake([](Description& d, Subject& s) { d.field("number", s.number, "").nullable().default_value("null"); }) ==
        "");
}

TEST_CASE("rules of fields and structs are checked, and the fields that they name") {
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("entry", s.entry, "").rule({.rule = "true", .field_path = ".nam"});
        }) ==
        "the field \"entry\": the rule \"true\": its field_path has the unknown field \"nam\" (did you mean name?)");
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("entry", s.entry, "");
          d.rule({.rule = "true", .field_path = ".entry.name"});
        }) == "");
  CHECK(mistake([](Description& d, Subject& s) {
          d.field("text", s.text, "");
          d.exactly_one_of({"text", "other"});
        }) == "\"other\" in at_most_one_of(), exactly_one_of() or at_least_one_of() is not a field of the struct");
}

struct Node {
  std::vector<Node> children;
};
void describe(Description& d, Node& node) { d.field("children", node.children, ""); }

TEST_CASE("a struct that contains itself has no schema") {
  try {
    static_cast<void>(schema_of<Node>());
    FAIL("it has a schema");
  } catch (const base::Misuse& misuse) {
    const std::string text = misuse.what();
    CHECK(text.starts_with("describe(keelson::kube::(anonymous namespace)::Node): the field \"children[]\": "));
    CHECK(text.find("contains itself") != std::string::npos);
  }
}

}  // namespace
}  // namespace keelson::kube
