#include "src/sandbox/custom/custom_pruning.hpp"

#include <algorithm>

#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/value_check.hpp"
#include "src/sandbox/fields/field_place.hpp"

namespace keelson::sandbox {

namespace {

// The fields that every resource has in addition to its own.
bool is_common_field(std::string_view name) { return name == "apiVersion" || name == "kind" || name == "metadata"; }

std::string member_place(const std::string& place, std::string_view name) {
  auto text = place;
  append_name(text, name);
  return text;
}

std::string item_place(const std::string& place, std::size_t index) {
  auto text = place;
  append_index(text, index);
  return text;
}

// Of a value that no schema describes: it has no fields.
const ValueSchema& empty_schema() {
  static const ValueSchema schema;
  return schema;
}

// Null: the field is unknown. The values of `additionalProperties: true` have no schema.
const ValueSchema* schema_of_member(const ValueSchema& schema, std::string_view name) {
  const auto* found = schema.find(name);
  const bool is_allowed = schema.allows_others || schema.forbids_others;
  return found == nullptr && is_allowed ? &empty_schema() : found;
}

class CustomPruning {
 public:
  // Notes the unknown fields. `keeps_unknown`: those of the value itself are kept, whatever its schema.
  void find(const Tree& value, const ValueSchema& schema, const std::string& place, bool keeps_unknown) {
    const bool keeps = keeps_unknown || schema.keeps_unknown;
    for (const auto& [name, member] : value.members()) {
      if (schema.is_embedded && is_common_field(name)) continue;
      const auto* part = schema_of_member(schema, name);
      if (part != nullptr) {
        find(member, *part, member_place(place, name), false);
      } else if (!keeps) {
        note(member_place(place, name));
      }
    }
    if (value.items().empty() || (keeps && schema.items == nullptr)) return;
    const auto& items = schema.items != nullptr ? *schema.items : empty_schema();
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      find(value.items()[i], items, item_place(place, i), keeps);
    }
  }

  // Drops them.
  static void clean(Tree& value, const ValueSchema& schema, bool keeps_unknown) {
    const bool keeps = keeps_unknown || schema.keeps_unknown;
    if (!keeps) {
      std::erase_if(value.members(), [&schema](const auto& member) {
        const bool is_kept = schema.is_embedded && is_common_field(member.first);
        return !is_kept && schema_of_member(schema, member.first) == nullptr;
      });
    }
    for (auto& [name, member] : value.members()) {
      if (schema.is_embedded && is_common_field(name)) continue;
      if (const auto* part = schema_of_member(schema, name)) clean(member, *part, false);
    }
    if (keeps && schema.items == nullptr) return;
    const auto& items = schema.items != nullptr ? *schema.items : empty_schema();
    for (auto& item : value.items()) clean(item, items, keeps);
  }

  void note(const std::string& place) {
    has_unknown_ = true;
    if (unknown_.size() < kMostFieldFindings) unknown_.push_back("unknown field " + kube::short_quote(place));
  }

  [[nodiscard]] bool has_unknown() const { return has_unknown_; }

  [[nodiscard]] std::vector<std::string> sorted() && {
    std::ranges::sort(unknown_);
    return std::move(unknown_);
  }

 private:
  bool has_unknown_ = false;
  std::vector<std::string> unknown_;
};

// Checks the kinds and the metadata of embedded resources.
class EmbeddedCheck {
 public:
  explicit EmbeddedCheck(FieldFindings& findings) : findings_(findings) {}

  void check(Tree& value, const ValueSchema& schema, const std::string& place) {
    if (!schema.has_embedded || findings_.error) return;
    if (schema.is_embedded && value.is_object()) check_resource(value, place);
    if (schema.items != nullptr && value.is_array()) {
      for (std::size_t i = 0; i < value.items().size(); ++i) {
        check(value.items()[i], *schema.items, item_place(place, i));
      }
    }
    if (!value.is_object()) return;
    for (auto& [name, member] : value.members()) {
      const auto* part = schema.find(name);
      if (part == nullptr) continue;
      const bool is_property = schema.properties.contains(name);
      check(member, *part, is_property ? member_place(place, name) : place + "[" + name + "]");
    }
  }

  void check_resource(Tree& resource, const std::string& place) {
    for (const char* name : {"apiVersion", "kind"}) {
      const Tree* value = std::as_const(resource).find(name);
      if (value != nullptr && !value->is_string()) fail(place, name, *value, "must be a string");
    }
    const Tree* metadata = std::as_const(resource).find("metadata");
    if (metadata == nullptr || findings_.error) return;
    auto found = check_metadata_fields(*resource.find("metadata"), member_place(place, "metadata"));
    if (found.error) fail(place, "metadata", *metadata, *found.error);
    for (auto& one : found.strict) {
      if (findings_.strict.size() < kMostFieldFindings) findings_.strict.push_back(std::move(one));
    }
  }

 private:
  void fail(const std::string& place, const char* name, const Tree& value, const std::string& why) {
    const FieldError error{FieldReason::kInvalid, member_place(place, name), printed_value(value), why};
    if (!findings_.error) findings_.error = error.message();
  }

  FieldFindings& findings_;
};

void append(std::vector<std::string>& to, std::vector<std::string> from) {
  for (auto& one : from) {
    if (to.size() < kMostFieldFindings) to.push_back(std::move(one));
  }
}

}  // namespace

std::optional<std::string> resource_error(Tree resource) {
  FieldFindings findings;
  EmbeddedCheck(findings).check_resource(resource, "");
  return findings.error;
}

FieldFindings check_custom_fields(Tree& object, const ValueSchema& schema) {
  FieldFindings findings;
  if (std::as_const(object).find("metadata") != nullptr) {
    findings = check_metadata_fields(*object.find("metadata"), "metadata");
  }
  CustomPruning pruning;
  std::vector<std::string> unknown_names;
  for (const auto& [name, member] : std::as_const(object).members()) {
    if (is_common_field(name)) continue;
    const auto* part = schema_of_member(schema, name);
    if (part != nullptr) pruning.find(member, *part, name, false);
    if (part != nullptr || schema.keeps_unknown) continue;
    pruning.note(name);
    unknown_names.push_back(name);
  }
  if (pruning.has_unknown()) {
    for (const auto& name : unknown_names) object.erase(name);
    for (auto& [name, member] : object.members()) {
      const auto* part = is_common_field(name) ? nullptr : schema_of_member(schema, name);
      if (part != nullptr) CustomPruning::clean(member, *part, false);
    }
    append(findings.strict, std::move(pruning).sorted());
  }
  if (!schema.has_embedded) return findings;
  FieldFindings embedded;
  EmbeddedCheck check(embedded);
  for (auto& [name, member] : object.members()) {
    const auto* part = is_common_field(name) ? nullptr : schema.find(name);
    if (part != nullptr) check.check(member, *part, name);
  }
  if (!findings.error) findings.error = std::move(embedded.error);
  std::ranges::sort(embedded.strict);
  append(findings.strict, std::move(embedded.strict));
  return findings;
}

}  // namespace keelson::sandbox
