#include "src/sandbox/fields/apply_check.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "src/sandbox/fields/field_path.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

using Type = Schema::Type;
using Wrong = std::optional<std::string>;

bool is_container(const Tree& value) { return value.is_object() || value.is_array(); }

// The Go type (%T) of a decoded JSON value.
std::string type_name(const Tree& value) {
  if (value.is_object()) return "map[string]interface {}";
  return value.is_array() ? "[]interface {}" : go_kind(value);
}

// The first error is that of the first name, sorted.
std::vector<const Tree::Members::value_type*> in_order(const Tree& object) {
  std::vector<const Tree::Members::value_type*> members;
  for (const auto& member : object.members()) members.push_back(&member);
  std::ranges::sort(members, [](const auto* a, const auto* b) { return a->first < b->first; });
  return members;
}

class ApplyCheck {
 public:
  explicit ApplyCheck(const ListRules& rules) : rules_(rules) {}

  Wrong value(const Tree& value, const Schema& schema);
  Wrong members(const Tree& value, const Schema& schema);
  // `name`: the name of a field or the key of a map.
  Wrong member(const std::string& name, const Tree& value, const Schema& schema);

 private:
  Wrong items(const Tree& value, const Schema& schema);
  Wrong scalar(const Tree& value, const Schema& schema) const;
  [[nodiscard]] std::string here(const std::string& what) const { return place_ + ": " + what; }

  const ListRules& rules_;
  std::string place_;  // ".spec.containers[name=\"web\"]"
  std::string path_;   // "spec.containers"
};

Wrong ApplyCheck::scalar(const Tree& value, const Schema& schema) const {
  switch (schema.type) {
    case Type::kString:
    case Type::kBytes:
      if (value.is_string()) return std::nullopt;
      return here("expected string, got &value.valueUnstructured{Value:" + go_print(value) + "}");
    case Type::kInteger:
    case Type::kNumber:
      if (value.type() == Tree::Type::kNumber) return std::nullopt;
      return here("expected numeric (int or float), got " + type_name(value));
    case Type::kBool:
      if (value.type() == Tree::Type::kBool) return std::nullopt;
      return here("expected boolean, got &{" + go_print(value) + "}");
    case Type::kQuantity:
      if (!is_container(value)) return std::nullopt;
      return here("expected any scalar, got &{" + go_print(value) + "}");
    default:
      return std::nullopt;
  }
}

Wrong ApplyCheck::member(const std::string& name, const Tree& value, const Schema& schema) {
  auto place = place_;
  auto path = path_;
  place_ += "." + name;
  path_ = joined(path_, name);
  auto wrong = this->value(value, schema);
  place_ = place;
  path_ = path;
  return wrong;
}

Wrong ApplyCheck::members(const Tree& value, const Schema& schema) {
  for (const auto* entry : in_order(value)) {
    const auto& [name, one] = *entry;
    const auto* field = schema.find(name);
    if (schema.type == Type::kObject && field == nullptr) {
      if (schema.keeps_unknown) continue;
      return place_ + "." + name + ": field not declared in schema";
    }
    if (auto wrong = member(name, one, field != nullptr ? field->part.schema() : schema.items.schema())) return wrong;
  }
  return std::nullopt;
}

Wrong ApplyCheck::items(const Tree& value, const Schema& schema) {
  const auto& rule = rules_.rule(path_, value);
  const bool has_keys = rule.how == MergeRule::How::kByKey;
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const auto& item : value.items()) {
    auto at = std::to_string(index++);
    if (has_keys && !item.is_object()) {
      return here("element " + at + ": associative list with keys may not have non-map elements");
    }
    auto step = has_keys ? path_text({entry_step(item, rule)}) : "[" + at + "]";
    if (has_keys && !seen.insert(step).second) return here("duplicate entries for key " + step);
    auto place = place_;
    place_ += step;
    auto wrong = this->value(item, schema.items.schema());
    place_ = place;
    if (wrong) return wrong;
  }
  return std::nullopt;
}

Wrong ApplyCheck::value(const Tree& value, const Schema& schema) {
  if (value.is_null()) return std::nullopt;
  switch (schema.type) {
    case Type::kAny:
      return std::nullopt;
    case Type::kObject:
    case Type::kMap:
      return value.is_object() ? members(value, schema) : here("expected map, got &{" + go_print(value) + "}");
    case Type::kList:
      return value.is_array() ? items(value, schema) : here("expected list, got &{" + go_print(value) + "}");
    default:
      return scalar(value, schema);
  }
}

}  // namespace

Wrong apply_error(const Tree& applied, const Schema& schema, const ServedKind& kind) {
  ApplyCheck check(kind.rules);
  if (!kind.is_custom) return check.value(applied, schema);
  if (schema.type != Type::kObject) return std::nullopt;
  const auto* metadata = built_in_schema("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  for (const auto* entry : in_order(applied)) {
    const auto& [name, value] = *entry;
    if (name == "apiVersion" || name == "kind") continue;
    const auto* field = schema.find(name);
    if (name != "metadata" && field == nullptr) {
      if (schema.keeps_unknown) continue;
      return "." + name + ": field not declared in schema";
    }
    if (auto wrong = check.member(name, value, name == "metadata" ? *metadata : field->part.schema())) return wrong;
  }
  return std::nullopt;
}

}  // namespace keelson::sandbox
