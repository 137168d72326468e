// The embedded schemas of PodSpec and JobTemplateSpec: complete, inlined, and valid in a CustomResourceDefinition.
#include "keelson/detail/schema/workload_schema.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/json/value.hpp"

namespace keelson::kube {
namespace {

json::View field(json::View schema, std::initializer_list<std::string_view> path) {
  for (auto name : path) {
    schema = schema.find("properties").find(name);
    if (auto items = schema.find("items"); !items.is_absent()) schema = items;
  }
  return schema;
}

bool names(json::View list, std::string_view name) {
  auto items = list.items();
  return std::ranges::any_of(items, [&](json::View item) { return item.string() == name; });
}

// Every list_map has keys that its items require or default; there are no other defaults.
void check_lists(json::View schema, const std::string& path) {
  auto items = schema.find("items");
  for (auto key : schema.find("x-kubernetes-list-map-keys").items()) {
    auto name = *key.string();
    INFO(path << " by " << name);
    auto has_default = !items.find("properties").find(name).find("default").is_absent();
    CHECK((names(items.find("required"), name) || has_default));
  }
  if (auto value = schema.find("default"); !value.is_absent()) CHECK((value.string() == "TCP" || value.string() == ""));
  for (const auto& [name, value] : schema.find("properties").members()) {
    check_lists(value, path + "." + std::string(name));
  }
  if (items.is_object()) check_lists(items, path + "[]");
  if (auto values = schema.find("additionalProperties"); values.is_object()) check_lists(values, path + "{}");
}

TEST_CASE("C5: the schemas are inlined and small enough for kubectl apply") {
  for (auto text : {pod_spec_schema(), job_template_schema()}) {
    CHECK(text.find("$ref") == std::string_view::npos);
    CHECK(text.find("description") == std::string_view::npos);
    CHECK(text.size() < 150'000);
    CHECK(json::Document::parse(text).has_value());
  }
}

TEST_CASE("C33: labels and annotations of embedded metadata are declared, so that they are not pruned") {
  auto document = json::Document::parse(job_template_schema());
  auto root = document->root();

  for (auto metadata : {field(root, {"metadata"}), field(root, {"spec", "template", "metadata"})}) {
    CHECK(field(metadata, {"labels"}).at({"additionalProperties", "type"}).string() == "string");
    CHECK(field(metadata, {"annotations"}).at({"additionalProperties", "type"}).string() == "string");
  }
}

TEST_CASE("the schema of a pod describes all leaves") {
  auto document = json::Document::parse(job_template_schema());
  auto pod = field(document->root(), {"spec", "template", "spec"});

  CHECK(field(pod, {"containers", "ports", "containerPort"}).find("type").string() == "integer");
  CHECK(field(pod, {"containers", "ports", "protocol"}).find("default").string() == "TCP");
  CHECK(field(pod, {"containers", "securityContext", "seccompProfile", "type"}).find("type").string() == "string");
  CHECK(
      field(pod, {"initContainers", "livenessProbe", "httpGet", "port"}).find("x-kubernetes-int-or-string").boolean() ==
      true);
  CHECK(field(pod, {"volumes", "projected", "sources", "serviceAccountToken", "path"}).find("type").string() ==
        "string");
  CHECK(names(pod.find("required"), "containers"));
  CHECK(field(document->root(), {"spec", "podFailurePolicy", "rules", "action"}).find("type").string() == "string");
}

TEST_CASE("lists that are maps have keys that are required or have a default, and no other field has a default") {
  auto document = json::Document::parse(job_template_schema());

  check_lists(document->root(), "");
}

}  // namespace
}  // namespace keelson::kube
