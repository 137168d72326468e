// deploy/kube-state-metrics.yaml against the generator and against the CRDs of config/.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "src/kinds/built_in.hpp"
#include "src/program/commands/generate.hpp"
#include "test/support/files.hpp"
#include "test/support/json_texts.hpp"

namespace {

using namespace keelson;
using Path = std::vector<std::string>;
using testing::content_of;
using testing::string_or_empty;

const std::filesystem::path kSource = KEELSON_SOURCE_DIR;

json::Document document_of(const std::filesystem::path& path) {
  auto text = json::yaml_to_json(content_of(path));
  REQUIRE(text);
  auto document = json::Document::parse(std::move(*text));
  REQUIRE(document);
  return std::move(*document);
}

Path path_of(json::View view) {
  Path path;
  for (const auto part : view.items()) path.push_back(string_or_empty(part));
  return path;
}

// The schema of the value at the path; absent if the CRD does not describe it. A path leads into the items of a list.
json::View schema_at(json::View schema, const Path& path) {
  for (const auto& name : path) {
    if (schema.find("type").string() == "array") schema = schema.find("items");
    schema = schema.find("properties").find(name);
  }
  return schema;
}

// The API server has these fields of every object, and a CRD does not describe them.
bool is_metadata(const Path& path) {
  static const std::set<std::string> kFields{"name", "namespace", "uid", "generation", "deletionTimestamp"};
  return path.size() == 2 && path[0] == "metadata" && kFields.contains(path[1]);
}

json::View schema_of_version(json::View crd, std::string_view version) {
  for (const auto one : crd.at({"spec", "versions"}).items()) {
    if (one.find("name").string() == version) return one.at({"schema", "openAPIV3Schema"});
  }
  return {};
}

void check_metric(json::View root, json::View metric) {
  const auto type = string_or_empty(metric.at({"each", "type"}));
  INFO("the metric " << string_or_empty(metric.find("name")) << " of type " << type);
  const auto each = metric.find("each").find(type == "Gauge" ? "gauge" : type == "Info" ? "info" : "stateSet");
  REQUIRE(each.is_object());
  CHECK_FALSE(string_or_empty(metric.find("help")).empty());
  const auto path = path_of(each.find("path"));
  const auto below = [&](json::View more) {
    Path whole = path;
    for (auto& part : path_of(more)) whole.push_back(std::move(part));
    return whole;
  };
  std::vector<Path> paths{below(each.find("valueFrom"))};
  for (const auto& [label, more] : each.find("labelsFromPath").members()) paths.push_back(below(more));
  for (const auto& one : paths) {
    if (one.empty() || is_metadata(one)) continue;  // an Info has no value
    INFO("its path ends with " << one.back());
    CHECK(schema_at(root, one).is_object());
  }
}

}  // namespace

TEST_CASE("deploy/kube-state-metrics.yaml is what `make generate` writes") {
  const auto files = program::generate("kube-state-metrics", kinds::built_in());

  REQUIRE(files);
  REQUIRE(files->size() == 1);
  CHECK(content_of(kSource / "deploy" / files->front().path) == files->front().content);
}

TEST_CASE("each path of deploy/kube-state-metrics.yaml exists in the CRD of its kind") {
  const auto document = document_of(kSource / "deploy/kube-state-metrics.yaml");
  CHECK(document.root().find("kind").string() == "CustomResourceStateMetrics");
  std::set<std::string> prefixes;
  for (const auto resource : document.root().at({"spec", "resources"}).items()) {
    const auto gvk = resource.find("groupVersionKind");
    const auto plural = string_or_empty(resource.find("resourcePlural"));
    INFO("the kind " << string_or_empty(gvk.find("kind")));
    const auto crd =
        document_of(kSource / "config/crd/bases" / (string_or_empty(gvk.find("group")) + "_" + plural + ".yaml"));
    CHECK(crd.root().at({"spec", "names", "kind"}).string() == string_or_empty(gvk.find("kind")));
    const auto root = schema_of_version(crd.root(), string_or_empty(gvk.find("version")));
    REQUIRE(root.is_object());
    CHECK(prefixes.insert(string_or_empty(resource.find("metricNamePrefix"))).second);
    for (const auto& [label, path] : resource.find("labelsFromPath").members()) CHECK(is_metadata(path_of(path)));
    std::set<std::string> names;
    for (const auto metric : resource.find("metrics").items()) {
      CHECK(names.insert(string_or_empty(metric.find("name"))).second);
      check_metric(root, metric);
    }
    CHECK(names.contains("status_condition"));
    CHECK(names.contains("status_observed_generation"));
  }
  CHECK(prefixes.contains("keelson_cronjob"));
  CHECK(prefixes.size() >= 4);
}
