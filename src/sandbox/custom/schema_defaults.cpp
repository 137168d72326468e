#include <algorithm>
#include <ranges>

#include "src/sandbox/custom/custom_pruning.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/value_check.hpp"

namespace keelson::sandbox {

namespace {

// Whether pruning by the schema leaves the value unchanged.
bool keeps_all(const Tree& value, const Tree& schema) {
  if (value.is_array()) {
    const Tree* items = object_at(schema, "items");
    return items == nullptr ||
           std::ranges::all_of(value.items(), [items](const Tree& item) { return keeps_all(item, *items); });
  }
  bool is_whole = schema.is_true_at({"x-kubernetes-preserve-unknown-fields"}) ||
                  schema.is_true_at({"x-kubernetes-embedded-resource"});
  return std::ranges::all_of(value.members(), [&](const auto& member) {
    const Tree* part = schema.at({"properties", member.first});
    if (part == nullptr) part = schema.find("additionalProperties");
    if (part == nullptr || *part == Tree(false)) return is_whole;
    return keeps_all(member.second, *part);
  });
}

// The fields and items ("[]") from a resource to a schema of its metadata, kind or version; empty elsewhere.
using MetadataSteps = std::vector<std::string>;

// The resource in which only this value is set.
Tree resource_with(const Tree& value, const MetadataSteps& steps) {
  auto made = value;
  for (const auto& step : std::views::reverse(steps)) {
    made = step == "[]" ? Tree::array({made}) : Tree::object({{step, made}});
  }
  return made;
}

class DefaultCheck {
 public:
  explicit DefaultCheck(FieldErrors& errors) : errors_(errors) {}

  // `is_resource`: the schema is that of an object with metadata.
  void check(const Tree& schema, const ValueSchema& compiled, const std::string& path, bool is_resource,
             const MetadataSteps& steps) {
    if (!(compiled.has_defaults || compiled.default_value) || errors_.is_full()) return;
    if (compiled.default_value) check_default(schema, compiled, path + ".default", is_resource, steps);
    if (const Tree* items = object_at(schema, "items")) {
      check(*items, *compiled.items, path + ".items", compiled.items->is_embedded, below(steps, "[]"));
    }
    for (const auto& [name, property] : schema.members_at({"properties"})) {
      const bool is_metadata = is_resource && (name == "metadata" || name == "kind" || name == "apiVersion");
      const auto& part = *compiled.find(name);
      check(property, part, key_path(path + ".properties", name), part.is_embedded,
            is_metadata ? MetadataSteps{name} : below(steps, name));
    }
  }

 private:
  static MetadataSteps below(MetadataSteps steps, const std::string& step) {
    if (!steps.empty()) steps.push_back(step);
    return steps;
  }

  void check_default(const Tree& schema, const ValueSchema& compiled, const std::string& path, bool is_resource,
                     const MetadataSteps& steps) {
    const auto& value = *compiled.default_value;
    const auto wrong = steps.empty() ? std::nullopt : resource_error(resource_with(value, steps));
    if (wrong) return errors_.invalid(path, value, "must result in valid metadata: " + *wrong);
    if (steps.empty() && !keeps_all(value, schema)) errors_.invalid(path, value, "must not have unknown fields");
    const auto count = errors_.list().size();
    for (const char* name : {"apiVersion", "kind"}) {
      if (is_resource && value.is_object() && value.find(name) == nullptr) errors_.required(path + "." + name);
    }
    if (errors_.list().size() == count) check_value({compiled, value, nullptr, path}, errors_.list());
  }

  FieldErrors& errors_;
};

}  // namespace

void check_schema_defaults(const Tree& schema, const std::string& path, FieldErrors& errors) {
  auto compiled = compile_value_schema(schema);
  DefaultCheck(errors).check(schema, *compiled, path, true, {});
}

}  // namespace keelson::sandbox
