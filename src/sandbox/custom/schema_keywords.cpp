#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/value_check.hpp"

namespace keelson::sandbox {

namespace {

// The restrictions on a schema that follow from the enclosing schemas.
struct KeywordContext {
  bool is_root = false;
  bool is_in_metadata = false;
  std::string no_defaults;  // the reason; empty: defaults are allowed
};

class KeywordCheck {
 public:
  explicit KeywordCheck(FieldErrors& errors) : errors_(errors) {}

  void check(const Tree& schema, const std::string& path, const KeywordContext& around);

 private:
  void check_supported(const Tree& schema, const std::string& path, const KeywordContext& around);
  void check_parts(const Tree& schema, const std::string& path, const KeywordContext& around);
  void check_map_type(const Tree& schema, const std::string& path);
  void check_list_type(const Tree& schema, const std::string& path);
  void check_list_keys(const Tree& schema, const std::string& path);
  void check_set_items(const Tree& schema, const std::string& path);

  FieldErrors& errors_;
};

void KeywordCheck::check_supported(const Tree& schema, const std::string& path, const KeywordContext& around) {
  static const std::set<std::string> kTypes{"array", "boolean", "integer", "number", "object", "string"};
  auto type = schema.text_at({"type"});
  if (!type.empty() && !kTypes.contains(type)) {
    errors_.unsupported(path + ".type", Tree(type), R"("array", "boolean", "integer", "number", "object", "string")");
  }
  if (has_value_at(schema, "default") && !around.no_defaults.empty()) {
    errors_.forbidden(path + ".default", "must not be set " + around.no_defaults);
  }
  for (const char* name : {"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"}) {
    if (has_value_at(schema, name)) errors_.forbidden(path + "." + name, std::string(name) + " is not supported");
  }
  if (type == "null") {
    errors_.forbidden(path + ".type", "type cannot be set to null, use nullable as an alternative");
  }
  if (around.is_in_metadata && schema.is_true_at({"x-kubernetes-embedded-resource"})) {
    errors_.forbidden(path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta");
  }
  if (schema.is_true_at({"uniqueItems"})) {
    errors_.forbidden(path + ".uniqueItems",
                      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
  }
}

void KeywordCheck::check_parts(const Tree& schema, const std::string& path, const KeywordContext& around) {
  auto inner = around;
  inner.is_root = false;
  if (const Tree* others = schema.find("additionalProperties")) {
    const bool says_something = others->is_object() || *others == Tree(false);
    if (says_something && !schema.members_at({"properties"}).empty()) {
      errors_.forbidden(path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
    }
    auto below = inner;
    if (around.is_in_metadata) below.no_defaults = "inside additionalProperties applying to object metadata";
    if (others->is_object()) check(*others, path + ".additionalProperties", below);
  }
  bool is_resource = around.is_root || schema.is_true_at({"x-kubernetes-embedded-resource"});
  for (const auto& [name, property] : schema.members_at({"properties"})) {
    auto below = inner;
    if (is_resource && (name == "metadata" || name == "kind" || name == "apiVersion")) {
      below.is_in_metadata = true;
      if (around.is_root) below.no_defaults = "in top-level " + name;
    }
    check(property, key_path(path + ".properties", name), below);
  }
  if (const Tree* negated = object_at(schema, "not")) check(*negated, path + ".not", inner);
  for (const char* keyword : {"allOf", "oneOf", "anyOf"}) {
    const auto& parts = schema.items_at({keyword});
    for (std::size_t i = 0; i < parts.size(); ++i) check(parts[i], index_path(path + "." + keyword, i), inner);
  }
  if (const Tree* items = object_at(schema, "items")) check(*items, path + ".items", inner);
}

void KeywordCheck::check_map_type(const Tree& schema, const std::string& path) {
  if (!has_value_at(schema, "x-kubernetes-map-type")) return;
  auto map_type = schema.text_at({"x-kubernetes-map-type"});
  auto type = schema.text_at({"type"});
  constexpr const char* kWhy = "must be object if x-kubernetes-map-type is specified";
  if (type.empty()) errors_.required(path + ".type", kWhy);
  if (!type.empty() && type != "object") errors_.invalid(path + ".type", Tree(type), kWhy);
  if (map_type != "atomic" && map_type != "granular") {
    errors_.unsupported(path + ".x-kubernetes-map-type", Tree(map_type), R"("atomic", "granular")");
  }
}

void KeywordCheck::check_set_items(const Tree& schema, const std::string& path) {
  const Tree* items = object_at(schema, "items");
  if (items == nullptr) return;
  constexpr const char* kWhy = "must be atomic as item of a list with x-kubernetes-list-type=set";
  auto type = items->text_at({"type"});
  auto list_type = items->text_at({"x-kubernetes-list-type"});
  auto shown = list_type.empty() ? Tree() : Tree(list_type);
  if (type == "array" && !list_type.empty() && list_type != "atomic") {
    errors_.invalid(path + ".items.x-kubernetes-list-type", shown, kWhy);
  }
  if (type == "object" && items->text_at({"x-kubernetes-map-type"}) != "atomic") {
    errors_.invalid(path + ".items.x-kubernetes-map-type", shown, kWhy);
  }
}

void KeywordCheck::check_list_keys(const Tree& schema, const std::string& path) {
  const auto& keys = schema.items_at({"x-kubernetes-list-map-keys"});
  auto list_type = schema.text_at({"x-kubernetes-list-type"});
  constexpr const char* kWhy = "must be map if x-kubernetes-list-map-keys is non-empty";
  if (!keys.empty() && list_type.empty()) errors_.required(path + ".x-kubernetes-list-type", kWhy);
  if (!keys.empty() && !list_type.empty() && list_type != "map") {
    errors_.invalid(path + ".x-kubernetes-list-type", Tree(list_type), kWhy);
  }
  if (list_type != "map") return;
  if (keys.empty()) {
    errors_.required(path + ".x-kubernetes-list-map-keys", "must not be empty if x-kubernetes-list-type is map");
  }
  const Tree* items = object_at(schema, "items");
  if (items == nullptr) {
    return errors_.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
  }
  auto item_type = items->text_at({"type"});
  if (item_type != "object") {
    return errors_.invalid(path + ".items.type", Tree(item_type),
                           "must be object if parent array's x-kubernetes-list-type is map");
  }
  std::set<std::string> seen;
  const auto all = Tree::array(keys);
  for (const auto& key : keys) {
    const Tree* property = items->at({"properties", key.scalar()});
    auto type = property != nullptr ? property->text_at({"type"}) : "";
    if (property == nullptr) {
      errors_.invalid(path + ".x-kubernetes-list-map-keys", all, "entries must all be names of item properties");
    } else if (type == "array" || type == "object") {
      errors_.invalid(key_path(path + ".items.properties", key.scalar()) + ".type", Tree(item_type),
                      "must be a scalar type if parent array's x-kubernetes-list-type is map");
    }
    if (!seen.insert(key.scalar()).second) {
      errors_.invalid(path + ".x-kubernetes-list-map-keys", all, "must not contain duplicate entries");
    }
  }
  const auto& required = items->items_at({"required"});
  for (const auto& key : keys) {
    const Tree* property = items->at({"properties", key.scalar()});
    if (property == nullptr) continue;
    auto at = key_path(path + ".items.properties", key.scalar());
    if (std::ranges::find(required, key) == required.end() && !has_value_at(*property, "default")) {
      errors_.required(at + ".default",
                       "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required "
                       "property");
    }
    if (property->is_true_at({"nullable"})) {
      errors_.forbidden(at + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
    }
  }
}

void KeywordCheck::check_list_type(const Tree& schema, const std::string& path) {
  auto type = schema.text_at({"type"});
  auto list_type = schema.text_at({"x-kubernetes-list-type"});
  if (has_value_at(schema, "x-kubernetes-list-type")) {
    constexpr const char* kWhy = "must be array if x-kubernetes-list-type is specified";
    if (type.empty()) {
      errors_.required(path + ".type", kWhy);
    } else if (type != "array") {
      errors_.invalid(path + ".type", Tree(type), kWhy);
    } else if (list_type == "set") {
      check_set_items(schema, path);
    }
    if (list_type != "atomic" && list_type != "set" && list_type != "map") {
      errors_.unsupported(path + ".x-kubernetes-list-type", Tree(list_type), R"("atomic", "set", "map")");
    }
  }
  check_list_keys(schema, path);
  const Tree* items = object_at(schema, "items");
  if ((list_type == "set" || list_type == "map") && items != nullptr && items->is_true_at({"nullable"})) {
    errors_.forbidden(path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + list_type);
  }
}

void KeywordCheck::check(const Tree& schema, const std::string& path, const KeywordContext& around) {
  if (!schema.is_object() || errors_.is_full()) return;
  check_supported(schema, path, around);
  check_parts(schema, path, around);
  const Tree* keeps = schema.find("x-kubernetes-preserve-unknown-fields");
  if (keeps != nullptr && *keeps == Tree(false)) {
    errors_.invalid(path + ".x-kubernetes-preserve-unknown-fields", *keeps, "must be true or undefined");
  }
  check_map_type(schema, path);
  check_list_type(schema, path);
}

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

void check_defaults(const Tree& schema, const ValueSchema& compiled, const std::string& path, FieldErrors& errors) {
  if (!(compiled.has_defaults || compiled.default_value) || errors.is_full()) return;
  if (compiled.default_value) {
    const auto& value = *compiled.default_value;
    if (!keeps_all(value, schema)) errors.invalid(path + ".default", value, "must not have unknown fields");
    check_value({compiled, value, nullptr, path + ".default"}, errors.list());
  }
  if (const Tree* items = object_at(schema, "items")) check_defaults(*items, *compiled.items, path + ".items", errors);
  for (const auto& [name, property] : schema.members_at({"properties"})) {
    check_defaults(property, *compiled.find(name), key_path(path + ".properties", name), errors);
  }
}

}  // namespace

void check_schema_keywords(const Tree& schema, const std::string& path, FieldErrors& errors) {
  KeywordCheck(errors).check(schema, path, {.is_root = true, .no_defaults = {}});
}

void check_schema_defaults(const Tree& schema, const std::string& path, FieldErrors& errors) {
  auto compiled = compile_value_schema(schema);
  check_defaults(schema, *compiled, path, errors);
}

}  // namespace keelson::sandbox
