#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/rule_texts.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/requests/texts.hpp"

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
  KeywordCheck(bool is_structural, FieldErrors& errors) : is_structural_(is_structural), errors_(errors) {}

  void check(const Tree& schema, const std::string& path, const KeywordContext& around) {
    if (!schema.is_object() || errors_.is_full()) return;
    const auto count = errors_.list().size();
    check_supported(schema, path, around);
    check_parts(schema, path, around);
    const Tree* keeps = schema.find("x-kubernetes-preserve-unknown-fields");
    if (keeps != nullptr && *keeps == Tree(false)) {
      errors_.invalid(path + ".x-kubernetes-preserve-unknown-fields", *keeps, "must be true or undefined");
    }
    check_map_type(schema, path);
    check_list_type(schema, path);
    const auto& rules = schema.items_at({"x-kubernetes-validations"});
    for (std::size_t i = 0; i < rules.size() && !errors_.is_full(); ++i) {
      check_rule_texts(rules[i], is_structural_ ? &schema : nullptr, index_path(path + ".x-kubernetes-validations", i),
                       errors_);
    }
    if (errors_.list().size() > count) with_errors_.insert(&schema);
  }

  [[nodiscard]] SchemaSet with_errors() && { return std::move(with_errors_); }

 private:
  void check_supported(const Tree& schema, const std::string& path, const KeywordContext& around) {
    auto type = schema.text_at({"type"});
    if (!type.empty() && !has_word("array boolean integer number object string", type)) {
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
    if (!schema.items_at({"items"}).empty()) {
      errors_.forbidden(path + ".items", "items must be a schema object and not an array");
    }
    if (around.is_in_metadata && schema.is_true_at({"x-kubernetes-embedded-resource"})) {
      errors_.forbidden(path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta");
    }
    if (schema.is_true_at({"uniqueItems"})) {
      errors_.forbidden(path + ".uniqueItems",
                        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
  }

  void check_parts(const Tree& schema, const std::string& path, const KeywordContext& around) {
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
    for_each_alternative(schema, path, [&](const Tree& part, const std::string& at) { check(part, at, inner); });
    if (const Tree* items = object_at(schema, "items")) check(*items, path + ".items", inner);
  }

  void check_map_type(const Tree& schema, const std::string& path) {
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

  void check_list_type(const Tree& schema, const std::string& path) {
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
    if (list_type == "map" && items != nullptr) check_required_keys(schema, *items, path);
  }

  void check_list_keys(const Tree& schema, const std::string& path) {
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
  }

  void check_required_keys(const Tree& schema, const Tree& items, const std::string& path) {
    const auto& keys = schema.items_at({"x-kubernetes-list-map-keys"});
    const auto& required = items.items_at({"required"});
    for (const auto& key : keys) {
      const Tree* property = items.at({"properties", key.scalar()});
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

  void check_set_items(const Tree& schema, const std::string& path) {
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

  bool is_structural_;
  FieldErrors& errors_;
  SchemaSet with_errors_;
};

}  // namespace

SchemaSet check_schema_keywords(const Tree& schema, const std::string& path, bool is_structural, FieldErrors& errors) {
  KeywordCheck check(is_structural, errors);
  check.check(schema, path, {.is_root = true, .no_defaults = {}});
  return std::move(check).with_errors();
}

}  // namespace keelson::sandbox
