#include "src/sandbox/fields/managed_fields.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/fields/field_changes.hpp"

namespace keelson::sandbox {
namespace {

Tree tree(const std::string& text) {
  auto parsed = Tree::parse(text);
  REQUIRE(parsed);
  return *parsed;
}

Manager who(const std::string& name, bool applies = true) {
  return {.name = name, .applies = applies, .subresource = "", .api_version = "v1", .time = "t", .fields = {}};
}

// A kind with a keyed list, a set and an atomic map under spec.
const MergeType& rules() {
  static const auto type = custom_merge_type(tree(R"({"properties":{"spec":{"properties":{
      "a":{},"b":{},"c":{},"d":{},"list":{"type":"array"},
      "parts":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
               "items":{"properties":{"name":{},"size":{},"color":{}}}},
      "ports":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["number","protocol"],
               "items":{"properties":{"number":{},"protocol":{"default":"TCP"}}}},
      "tags":{"x-kubernetes-list-type":"set"},
      "labels":{"type":"object","additionalProperties":{"type":"string"}},
      "groups":{"type":"object","additionalProperties":{"x-kubernetes-list-type":"set","items":{"type":"string"}}},
      "match":{"x-kubernetes-map-type":"atomic"}}}}})"));
  return *type;
}

TEST_CASE("the fields of an object are its leaves, as far as lists and maps are merged") {
  struct Row {
    const char* object;
    const char* fields;
  };
  const Row rows[] = {
      {R"({"kind":"K","metadata":{"name":"a","uid":"u","labels":{"l":"1"}}})",
       R"({"f:metadata":{"f:labels":{"f:l":{}}}})"},
      {R"({"spec":{"a":{"b":1},"c":{}}})", R"({"f:spec":{"f:a":{"f:b":{}},"f:c":{}}})"},
      {R"({"spec":{"list":[1,2],"match":{"x":"1"}}})", R"({"f:spec":{"f:list":{},"f:match":{}}})"},
      {R"({"spec":{"tags":["x","y"]}})", R"({"f:spec":{"f:tags":{"v:\"x\"":{},"v:\"y\"":{}}}})"},
      {R"({"spec":{"parts":[{"name":"p","size":1}]}})",
       R"({"f:spec":{"f:parts":{"k:{\"name\":\"p\"}":{".":{},"f:name":{},"f:size":{}}}}})"},
      {R"({"spec":{"ports":[{"number":80}]}})",
       R"({"f:spec":{"f:ports":{"k:{\"number\":80,\"protocol\":\"TCP\"}":{".":{},"f:number":{}}}}})"},
  };

  for (const auto& row : rows) {
    INFO(row.object);
    auto fields = tree(fields_v1(without_server_fields(fields_of(tree(row.object), rules()))));
    CHECK(fields == tree(row.fields));
  }
}

TEST_CASE("an apply sets the applied fields and removes those that are no longer applied") {
  struct Row {
    const char* what;
    const char* first;
    const char* second;
    const char* result;
  };
  const Row rows[] = {
      {"a member", R"({"spec":{"a":1,"b":2}})", R"({"spec":{"a":1}})", R"({"spec":{"a":1}})"},
      {"a nested member", R"({"spec":{"a":{"x":1,"y":2}}})", R"({"spec":{"a":{"y":2}}})", R"({"spec":{"a":{"y":2}}})"},
      {"an entry", R"({"spec":{"parts":[{"name":"p"},{"name":"q","size":1}]}})", R"({"spec":{"parts":[{"name":"q"}]}})",
       R"({"spec":{"parts":[{"name":"q"}]}})"},
      {"a tag", R"({"spec":{"tags":["x","y"]}})", R"({"spec":{"tags":["y"]}})", R"({"spec":{"tags":["y"]}})"},
      {"an atomic list", R"({"spec":{"list":[1,2]}})", R"({"spec":{"list":[3]}})", R"({"spec":{"list":[3]}})"},
      {"an atomic map", R"({"spec":{"match":{"a":"1"}}})", R"({"spec":{"match":{"b":"2"}}})",
       R"({"spec":{"match":{"b":"2"}}})"},
      {"another type", R"({"spec":{"a":{"x":1}}})", R"({"spec":{"a":"text"}})", R"({"spec":{"a":"text"}})"},
      {"nothing", R"({"spec":{"a":1}})", R"({"spec":{"a":1}})", R"({"spec":{"a":1}})"},
  };

  for (const auto& row : rows) {
    INFO(row.what);
    auto first = apply(Tree::object(), {}, tree(row.first), who("us"), false, rules());
    CHECK(first.object == tree(row.first));
    auto second = apply(first.object, first.managers, tree(row.second), who("us"), false, rules());
    CHECK(second.object == tree(row.result));
    CHECK(second.managers.size() == 1);
  }
}

TEST_CASE("fields of another manager stay, also as parts of an entry") {
  auto ours =
      apply(Tree::object(), {}, tree(R"({"spec":{"parts":[{"name":"p","size":1}],"a":1}})"), who("us"), false, rules());
  auto theirs = apply(ours.object, ours.managers, tree(R"({"spec":{"parts":[{"name":"p","color":"red"}],"a":1}})"),
                      who("them"), false, rules());
  REQUIRE(theirs.conflicts.empty());

  auto less = apply(theirs.object, theirs.managers, tree(R"({"spec":{}})"), who("us"), false, rules());

  CHECK(less.object == tree(R"({"spec":{"parts":[{"name":"p","color":"red"}],"a":1}})"));
}

TEST_CASE("a different value is a conflict, and force takes over its ownership") {
  auto ours = apply(Tree::object(), {}, tree(R"({"spec":{"a":1,"b":{"c":1}}})"), who("us"), false, rules());
  auto wish = tree(R"({"spec":{"a":2,"b":{"c":3}}})");

  auto rejected = apply(ours.object, ours.managers, wish, who("them"), false, rules());
  auto forced = apply(ours.object, ours.managers, wish, who("them"), true, rules());

  auto [text, causes] = conflict_text(rejected.conflicts);
  CHECK(text == "Apply failed with 2 conflicts: conflicts with \"us\":\n- .spec.a\n- .spec.b.c");
  CHECK(causes.items().size() == 2);
  CHECK(forced.conflicts.empty());
  CHECK(forced.object == wish);
  REQUIRE(forced.managers.size() == 1);
  CHECK(forced.managers[0].name == "them");
}

TEST_CASE("an update owns the fields that it changed, and removed fields have no owner") {
  auto applied = apply(Tree::object(), {}, tree(R"({"spec":{"a":1,"b":2,"c":3}})"), who("us"), false, rules());
  auto after = tree(R"({"spec":{"a":9,"c":3,"d":4}})");

  auto managers = after_update(applied.object, after, applied.managers, who("them", false), rules());

  REQUIRE(managers.size() == 2);
  CHECK(tree(fields_v1(managers[0].fields)) == tree(R"({"f:spec":{"f:c":{}}})"));
  CHECK(tree(fields_v1(managers[1].fields)) == tree(R"({"f:spec":{"f:a":{},"f:d":{}}})"));
  CHECK_FALSE(managers[1].applies);
}

TEST_CASE("an update that changes nothing owns nothing") {
  auto applied = apply(Tree::object(), {}, tree(R"({"spec":{"a":1}})"), who("us"), false, rules());

  auto managers = after_update(applied.object, applied.object, applied.managers, who("them", false), rules());

  CHECK(same_owners(managers, applied.managers));
}

TEST_CASE("a duplicate entry in a list existed before, and is removed when both are removed") {
  auto twice = tree(R"({"spec":{"tags":["x","x"],"parts":[{"name":"p","size":1},{"name":"p","size":1}]}})");

  auto same = changes_between(twice, twice, rules());
  auto gone = changes_between(twice, tree(R"({"spec":{"tags":["y"],"parts":[{"name":"q"}]}})"), rules());

  CHECK(same.written.empty());
  CHECK(same.gone.empty());
  CHECK(fields_v1(gone.gone).find("v:\\\"x\\\"") != std::string::npos);
}

TEST_CASE("paths are printed as the API server prints them") {
  CHECK(path_text({"f:spec", "f:parts", R"(k:{"name":"p"})", "f:size"}) == R"(.spec.parts[name="p"].size)");
  CHECK(path_text({"f:spec", "f:ports", R"(k:{"number":80,"protocol":"TCP"})"}) ==
        R"(.spec.ports[number=80,protocol="TCP"])");
  CHECK(path_text({"f:spec", "f:tags", R"(v:"x")"}) == R"(.spec.tags[="x"])");
}

// The rule of a list of a built-in kind; steps without a name are the entries of a list.
MergeRule::How how_of(const std::string& kind, std::initializer_list<const char*> path) {
  const auto* type = &built_in_merge_type("io.k8s.api." + kind);
  for (const std::string step : path) type = &type->below(step.empty() ? "k:" : "f:" + step);
  return type->takes_list ? type->list.how : type->map.how;
}

TEST_CASE("the lists and maps of built-in kinds are merged as their OpenAPI says") {
  using How = MergeRule::How;
  const char* deployment = "apps.v1.Deployment";
  CHECK(how_of(deployment, {"spec", "template", "spec", "containers"}) == How::kByKey);
  CHECK(how_of(deployment, {"spec", "template", "spec", "initContainers", "", "env"}) == How::kByKey);
  CHECK(how_of(deployment, {"spec", "template", "spec", "containers", "", "args"}) == How::kAtomic);
  CHECK(how_of(deployment, {"spec", "template", "spec", "schedulingGates"}) == How::kByKey);
  CHECK(how_of(deployment, {"spec", "selector"}) == How::kAtomic);
  CHECK(how_of(deployment, {"status", "conditions"}) == How::kByKey);
  CHECK(how_of("core.v1.Pod", {"metadata", "ownerReferences"}) == How::kByKey);
  CHECK(how_of("core.v1.Pod", {"metadata", "finalizers"}) == How::kSet);
  CHECK(how_of("core.v1.Pod", {"spec", "resourceClaims"}) == How::kByKey);
  CHECK(how_of("core.v1.Pod", {"spec", "containers", "", "resources", "claims"}) == How::kByKey);
  CHECK(how_of("core.v1.ConfigMap", {"data"}) == How::kGranular);
  CHECK(how_of("core.v1.PersistentVolume", {"spec", "claimRef"}) == How::kGranular);
  CHECK(how_of("admissionregistration.v1.ValidatingWebhookConfiguration", {"webhooks"}) == How::kByKey);
  CHECK(how_of("admissionregistration.v1.ValidatingAdmissionPolicy", {"spec", "variables"}) == How::kByKey);
}

}  // namespace
}  // namespace keelson::sandbox
