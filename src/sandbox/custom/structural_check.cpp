#include "src/sandbox/custom/structural_check.hpp"

#include <algorithm>

#include "keelson/detail/cel/pattern.hpp"
#include "src/sandbox/custom/schema_tree.hpp"

namespace keelson::sandbox {

namespace {

// Rejecting a pattern may take as long as compiling it, so the first 15 of a definition are reported.
constexpr std::size_t kRejectedPatternCost = kPatternBudget / 15 + 1;

enum class SchemaLevel { kRoot, kItem, kField };

bool is_int_or_string_choice(const Tree& schema) {
  const auto& parts = schema.items_at({"anyOf"});
  return parts.size() == 2 && parts[0] == Tree::object({{"type", "integer"}}) &&
         parts[1] == Tree::object({{"type", "string"}});
}

class StructureCheck {
 public:
  StructureCheck(FieldErrors& errors, std::size_t pattern_budget) : errors_(errors), pattern_budget_(pattern_budget) {}

  void check(const Tree& schema, SchemaLevel level, const std::string& path) {
    auto type = schema.text_at({"type"});
    if (type == "array" && !has_value_at(schema, "items")) errors_.required(path + ".items", "must be specified");
    if (const Tree* items = object_at(schema, "items")) check(*items, SchemaLevel::kItem, path + ".items");
    for (const auto& [name, property] : schema.members_at({"properties"})) {
      check(property, SchemaLevel::kField, key_path(path + ".properties", name));
    }
    bool is_embedded = schema.is_true_at({"x-kubernetes-embedded-resource"});
    if (has_value_at(schema, "additionalProperties")) {
      if (level == SchemaLevel::kRoot) {
        errors_.forbidden(path + ".additionalProperties", "must not be used at the root");
      }
      if (is_embedded) {
        errors_.forbidden(path + ".additionalProperties", "must not be used if x-kubernetes-embedded-resource is set");
      }
      if (const Tree* others = object_at(schema, "additionalProperties")) {
        check(*others, SchemaLevel::kField, path + ".additionalProperties");
      }
    }
    if (schema.is_true_at({"x-kubernetes-int-or-string"})) {
      for (const char* name : {"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"}) {
        if (schema.is_true_at({name})) {
          errors_.invalid(path + "." + name, Tree(true), "must be false if x-kubernetes-int-or-string is true");
        }
      }
    }
    check_alternatives(schema, path);
    check_type(schema, level, path);
    check_metadata(schema, level, path);
  }

  // Checks that the schema itself declares the fields that its alternatives (allOf, anyOf, oneOf, not) mention.

  void check_complete(const Tree& nested, const Tree* schema, const std::string& path, const std::string& nested_path) {
    if (schema == nullptr) return errors_.required(path, "because it is defined in " + nested_path);
    for_each_alternative(nested, nested_path,
                         [&](const Tree& part, const std::string& at) { check_complete(part, schema, path, at); });
    if (&nested == schema) return;
    if (const Tree* items = object_at(nested, "items")) {
      check_complete(*items, object_at(*schema, "items"), path + ".items", nested_path + ".items");
    }
    for (const auto& [name, property] : nested.members_at({"properties"})) {
      check_complete(property, schema->at({"properties", name}), key_path(path + ".properties", name),
                     key_path(nested_path + ".properties", name));
    }
  }

 private:
  void check_type(const Tree& schema, SchemaLevel level, const std::string& path) {
    auto type = schema.text_at({"type"});
    bool is_embedded = schema.is_true_at({"x-kubernetes-embedded-resource"});
    bool keeps_unknown = schema.is_true_at({"x-kubernetes-preserve-unknown-fields"});
    if (is_embedded && type != "object") {
      constexpr const char* kWhy = "must be object if x-kubernetes-embedded-resource is true";
      type.empty() ? errors_.required(path + ".type", kWhy) : errors_.invalid(path + ".type", Tree(type), kWhy);
    } else if (type.empty() && !keeps_unknown && !schema.is_true_at({"x-kubernetes-int-or-string"})) {
      errors_.required(path + ".type", level == SchemaLevel::kRoot   ? "must not be empty at the root"
                                       : level == SchemaLevel::kItem ? "must not be empty for specified array items"
                                                                     : "must not be empty for specified object fields");
    }
    if (level == SchemaLevel::kRoot && !type.empty() && type != "object") {
      errors_.invalid(path + ".type", Tree(type), "must be object at the root");
    }
    if (is_embedded && !keeps_unknown && schema.members_at({"properties"}).empty()) {
      errors_.required(path + ".properties",
                       "must not be empty if x-kubernetes-embedded-resource is true without "
                       "x-kubernetes-preserve-unknown-fields");
    }
  }

  void check_metadata(const Tree& schema, SchemaLevel level, const std::string& path) {
    bool is_resource = level == SchemaLevel::kRoot || schema.is_true_at({"x-kubernetes-embedded-resource"});
    if (!is_resource) return;
    for (const char* name : {"kind", "apiVersion"}) {
      const Tree* property = schema.at({"properties", name});
      if (property != nullptr && property->text_at({"type"}) != "string") {
        errors_.invalid(key_path(path + ".properties", name) + ".type", Tree(property->text_at({"type"})),
                        "must be string");
      }
    }
    const Tree* metadata = schema.at({"properties", "metadata"});
    if (metadata == nullptr) return;
    auto at = key_path(path + ".properties", "metadata");
    if (metadata->text_at({"type"}) != "object") {
      errors_.invalid(at + ".type", Tree(metadata->text_at({"type"})), "must be object");
    }
    if (level != SchemaLevel::kRoot) return;
    auto is_known = [](const auto& member) {
      const auto& [name, value] = member;
      if (name == "type" || name == "default" || name == "description") return name != "description";
      return name == "properties" && std::ranges::all_of(value.members(), [](const auto& property) {
               return property.first == "name" || property.first == "generateName";
             });
    };
    if (!std::ranges::all_of(metadata->members(), is_known)) {
      errors_.forbidden(at,
                        "must not specify anything other than name and generateName, but metadata is implicitly "
                        "specified");
    }
  }

  void check_alternatives(const Tree& schema, const std::string& path) {
    const auto& all = schema.items_at({"allOf"});
    const auto& any = schema.items_at({"anyOf"});
    const Tree* choice = !all.empty() && is_int_or_string_choice(all[0]) ? &all[0] : nullptr;
    const bool is_choice = is_int_or_string_choice(schema);
    for_each_alternative(schema, path, [&](const Tree& part, const std::string& at) {
      const bool is_of_choice = is_choice && (&part == &any[0] || &part == &any[1]);
      if (!is_of_choice) check_nested(part, at, &part == choice);
    });
    check_pattern(schema, path);
  }

  void check_nested(const Tree& nested, const std::string& path, bool skips_choice) {
    if (!nested.is_object()) return;
    if (!skips_choice) check_alternatives(nested, path);
    if (const Tree* items = object_at(nested, "items")) check_nested(*items, path + ".items", false);
    for (const auto& [name, property] : nested.members_at({"properties"})) {
      check_nested(property, key_path(path + ".properties", name), false);
    }
    check_nested_keywords(nested, path);
  }

  void check_nested_keywords(const Tree& nested, const std::string& path) {
    struct Keyword {
      const char* name;
      const char* why;
      bool is_flag;
    };
    static constexpr Keyword kForbidden[] = {
        {"type", "must be empty to be structural", false},
        {"additionalProperties", "must be undefined to be structural", false},
        {"default", "must be undefined to be structural", false},
        {"title", "must be empty to be structural", false},
        {"description", "must be empty to be structural", false},
        {"nullable", "must be false to be structural", true},
        {"x-kubernetes-preserve-unknown-fields", "must be false to be structural", true},
        {"x-kubernetes-embedded-resource", "must be false to be structural", true},
        {"x-kubernetes-int-or-string", "must be false to be structural", true},
        {"x-kubernetes-list-map-keys", "must be empty to be structural", false},
        {"x-kubernetes-list-type", "must be undefined to be structural", false},
        {"x-kubernetes-map-type", "must be undefined to be structural", false},
        {"x-kubernetes-validations", "must be empty to be structural", false},
    };
    for (const auto& keyword : kForbidden) {
      bool is_there = keyword.is_flag ? nested.is_true_at({keyword.name}) : has_value_at(nested, keyword.name);
      if (is_there) errors_.forbidden(path + "." + keyword.name, keyword.why);
    }
    if (nested.at({"properties", "metadata"}) != nullptr) {
      errors_.forbidden(path + ".properties[metadata]", "must not be specified in a nested context");
    }
  }

  void check_pattern(const Tree& schema, const std::string& path) {
    auto pattern = schema.text_at({"pattern"});
    if (pattern.empty() || pattern_budget_ == 0) return;
    auto compiled = cel::Pattern::compile(pattern);
    if (!compiled) {
      pattern_budget_ -= std::min(pattern_budget_, kRejectedPatternCost);
      errors_.invalid(path + ".pattern", Tree(pattern),
                      "must be a valid regular expression, but isn't: " + compiled.error().text);
    } else if (compiled->size() > pattern_budget_) {
      pattern_budget_ = 0;
      errors_.invalid(path + ".pattern", Tree(pattern), "the patterns of the definition are too large in total");
    } else {
      pattern_budget_ -= compiled->size();
    }
  }

  FieldErrors& errors_;
  std::size_t pattern_budget_;
};

}  // namespace

void check_structure(const Tree& schema, const std::string& path, std::size_t pattern_budget, FieldErrors& errors) {
  StructureCheck check(errors, pattern_budget);
  auto first = errors.list().size();
  check.check(schema, SchemaLevel::kRoot, path);
  check.check_complete(schema, &schema, path, path);
  std::sort(errors.list().begin() + static_cast<std::ptrdiff_t>(first), errors.list().end(),
            [](const FieldError& a, const FieldError& b) { return a.message() < b.message(); });
}

}  // namespace keelson::sandbox
