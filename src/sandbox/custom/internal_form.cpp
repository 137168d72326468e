#include "src/sandbox/custom/internal_form.hpp"

#include <cmath>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

enum class Form {
  kText,
  kFlag,
  kValue,  // JSON, or null
  kNumber,
  kSchema,
  kSchemas,
  kSchemaMap,
  kItems,
  kSchemaOrBool,
  kDocs,
  kRules
};

struct Member {
  const char* name;
  const char* json;
  Form form;
};

constexpr Member kSchemaMembers[] = {
    {"ID", "id", Form::kText},
    {"Schema", "$schema", Form::kText},
    {"Ref", "$ref", Form::kValue},
    {"Description", "description", Form::kText},
    {"Type", "type", Form::kText},
    {"Nullable", "nullable", Form::kFlag},
    {"Format", "format", Form::kText},
    {"Title", "title", Form::kText},
    {"Default", "default", Form::kValue},
    {"Maximum", "maximum", Form::kNumber},
    {"ExclusiveMaximum", "exclusiveMaximum", Form::kFlag},
    {"Minimum", "minimum", Form::kNumber},
    {"ExclusiveMinimum", "exclusiveMinimum", Form::kFlag},
    {"MaxLength", "maxLength", Form::kValue},
    {"MinLength", "minLength", Form::kValue},
    {"Pattern", "pattern", Form::kText},
    {"MaxItems", "maxItems", Form::kValue},
    {"MinItems", "minItems", Form::kValue},
    {"UniqueItems", "uniqueItems", Form::kFlag},
    {"MultipleOf", "multipleOf", Form::kNumber},
    {"Enum", "enum", Form::kValue},
    {"MaxProperties", "maxProperties", Form::kValue},
    {"MinProperties", "minProperties", Form::kValue},
    {"Required", "required", Form::kValue},
    {"Items", "items", Form::kItems},
    {"AllOf", "allOf", Form::kSchemas},
    {"OneOf", "oneOf", Form::kSchemas},
    {"AnyOf", "anyOf", Form::kSchemas},
    {"Not", "not", Form::kSchema},
    {"Properties", "properties", Form::kSchemaMap},
    {"AdditionalProperties", "additionalProperties", Form::kSchemaOrBool},
    {"PatternProperties", "patternProperties", Form::kSchemaMap},
    {"Dependencies", "dependencies", Form::kValue},
    {"AdditionalItems", "additionalItems", Form::kSchemaOrBool},
    {"Definitions", "definitions", Form::kSchemaMap},
    {"ExternalDocs", "externalDocs", Form::kDocs},
    {"Example", "example", Form::kValue},
    {"XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", Form::kValue},
    {"XEmbeddedResource", "x-kubernetes-embedded-resource", Form::kFlag},
    {"XIntOrString", "x-kubernetes-int-or-string", Form::kFlag},
    {"XListMapKeys", "x-kubernetes-list-map-keys", Form::kValue},
    {"XListType", "x-kubernetes-list-type", Form::kValue},
    {"XMapType", "x-kubernetes-map-type", Form::kValue},
    {"XValidations", "x-kubernetes-validations", Form::kRules},
};
constexpr Member kRuleMembers[] = {
    {"Rule", "rule", Form::kText},
    {"Message", "message", Form::kText},
    {"MessageExpression", "messageExpression", Form::kText},
    {"Reason", "reason", Form::kValue},
    {"FieldPath", "fieldPath", Form::kText},
    {"OptionalOldSelf", "optionalOldSelf", Form::kValue},
};
constexpr Member kDocsMembers[] = {{"Description", "description", Form::kText}, {"URL", "url", Form::kText}};
constexpr Member kVersionMembers[] = {
    {"Name", "name", Form::kText},
    {"Served", "served", Form::kFlag},
    {"Storage", "storage", Form::kFlag},
    {"Deprecated", "deprecated", Form::kFlag},
    {"DeprecationWarning", "deprecationWarning", Form::kValue},
};
constexpr Member kScaleMembers[] = {
    {"SpecReplicasPath", "specReplicasPath", Form::kText},
    {"StatusReplicasPath", "statusReplicasPath", Form::kText},
    {"LabelSelectorPath", "labelSelectorPath", Form::kValue},
};
constexpr Member kColumnMembers[] = {
    {"Name", "name", Form::kText},           {"Type", "type", Form::kText},
    {"Format", "format", Form::kText},       {"Description", "description", Form::kText},
    {"Priority", "priority", Form::kNumber}, {"JSONPath", "jsonPath", Form::kText},
};
constexpr Member kSelectableMembers[] = {{"JSONPath", "jsonPath", Form::kText}};

// As json.Marshal writes a float64.
std::string json_number(double number) {
  const auto size = std::abs(number);
  if (size == 0 || (size >= 1e-6 && size < 1e21)) return base::format_go_fixed(number);
  auto text = base::format_go_exponent(number);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

class InternalText {
 public:
  template <std::size_t kCount>
  void write(const Tree& object, const Member (&members)[kCount]) {
    text_ += '{';
    for (const auto& member : members) {
      if (is_full()) break;
      begin(member.name);
      write_member(object.find(member.json), member);
    }
    text_ += '}';
  }

  void write_versions(const Tree& versions, const InternalParts& own) {
    write_list(versions.items(), [&](const Tree& version) {
      write(version, kVersionMembers);
      text_.pop_back();
      begin("Schema");
      const Tree* schema = own.schema ? object_at(version, "schema") : nullptr;
      if (schema == nullptr) text_ += "null";
      if (schema != nullptr) {
        text_ += "{\"OpenAPIV3Schema\":";
        write_schema(object_at(*schema, "openAPIV3Schema"));
        text_ += '}';
      }
      begin("Subresources");
      write_subresources(own.subresources ? object_at(version, "subresources") : nullptr);
      begin("AdditionalPrinterColumns");
      write_structs(own.columns ? version.find("additionalPrinterColumns") : nullptr, kColumnMembers);
      begin("SelectableFields");
      write_structs(own.selectable ? version.find("selectableFields") : nullptr, kSelectableMembers);
      text_ += '}';
    });
  }

  [[nodiscard]] std::string text() && { return kube::short_text(text_, kMostInternalBytes); }

 private:
  [[nodiscard]] bool is_full() const { return text_.size() > kMostInternalBytes; }

  void begin(const char* name) {
    if (text_.back() != '{') text_ += ',';
    text_ += '"';
    text_ += name;
    text_ += "\":";
  }

  void write_schema(const Tree* schema) {
    if (schema == nullptr) {
      text_ += "null";
    } else {
      write(*schema, kSchemaMembers);
    }
  }

  template <class Write>
  void write_list(const std::vector<Tree>& items, Write write_item) {
    text_ += '[';
    for (const auto& item : items) {
      if (is_full()) break;
      if (text_.back() != '[') text_ += ',';
      write_item(item);
    }
    text_ += ']';
  }

  void write_schemas(const Tree* list) {
    if (list == nullptr || !list->is_array()) {
      text_ += "null";
    } else {
      write_list(list->items(), [this](const Tree& item) { write_schema(&item); });
    }
  }

  template <std::size_t kCount>
  void write_structs(const Tree* list, const Member (&members)[kCount]) {
    if (list == nullptr || !list->is_array()) {
      text_ += "null";
    } else {
      write_list(list->items(), [&](const Tree& item) { write(item, members); });
    }
  }

  void write_map(const Tree* map) {
    if (map == nullptr || !map->is_object()) {
      text_ += "null";
      return;
    }
    text_ += '{';
    for (const auto* member : sorted_members(*map)) {
      if (is_full()) break;
      if (text_.back() != '{') text_ += ',';
      text_ += go_json(Tree(member->first)) + ":";
      write_schema(&member->second);
    }
    text_ += '}';
  }

  void write_subresources(const Tree* subresources) {
    if (subresources == nullptr) {
      text_ += "null";
      return;
    }
    text_ += object_at(*subresources, "status") != nullptr ? R"({"Status":{},"Scale":)" : R"({"Status":null,"Scale":)";
    const Tree* scale = object_at(*subresources, "scale");
    if (scale == nullptr) text_ += "null";
    if (scale != nullptr) write(*scale, kScaleMembers);
    text_ += '}';
  }

  void write_member(const Tree* value, const Member& member) {
    const bool is_absent = value == nullptr || value->is_null();
    switch (member.form) {
      case Form::kText:
        text_ += is_absent ? "\"\"" : go_json(*value);
        break;
      case Form::kFlag:
        text_ += is_absent ? "false" : value->text();
        break;
      case Form::kValue:
        text_ += is_absent ? "null" : go_json(*value);
        break;
      case Form::kNumber:
        write_number(value, member);
        break;
      case Form::kSchema:
        write_schema(is_absent ? nullptr : value);
        break;
      case Form::kSchemas:
        write_schemas(value);
        break;
      case Form::kSchemaMap:
        write_map(value);
        break;
      case Form::kItems:
        write_items(is_absent ? nullptr : value);
        break;
      case Form::kSchemaOrBool:
        write_schema_or_bool(is_absent ? nullptr : value);
        break;
      case Form::kDocs:
        if (is_absent) text_ += "null";
        if (!is_absent) write(*value, kDocsMembers);
        break;
      case Form::kRules:
        write_structs(value, kRuleMembers);
        break;
    }
  }

  void write_number(const Tree* value, const Member& member) {
    const bool is_absent = value == nullptr || value->is_null();
    const bool is_pointer = std::string_view(member.name) != "Priority";
    if (is_absent) {
      text_ += is_pointer ? "null" : "0";
    } else {
      const auto number = base::parse_number<double>(value->scalar());
      text_ += number ? json_number(*number) : value->text();
    }
  }

  void write_items(const Tree* items) {
    if (items == nullptr) {
      text_ += "null";
      return;
    }
    text_ += "{\"Schema\":";
    write_schema(items->is_object() ? items : nullptr);
    text_ += ",\"JSONSchemas\":";
    write_schemas(items);
    text_ += '}';
  }

  void write_schema_or_bool(const Tree* value) {
    if (value == nullptr) {
      text_ += "null";
      return;
    }
    text_ += *value == Tree(false) ? "{\"Allows\":false,\"Schema\":" : "{\"Allows\":true,\"Schema\":";
    write_schema(value->is_object() ? value : nullptr);
    text_ += '}';
  }

  std::string text_;
};

}  // namespace

std::string internal_schema(const Tree& schema) {
  InternalText text;
  text.write(schema, kSchemaMembers);
  return std::move(text).text();
}

std::string internal_rule(const Tree& rule) {
  InternalText text;
  text.write(rule, kRuleMembers);
  return std::move(text).text();
}

std::string internal_versions(const Tree* versions, const InternalParts& own) {
  if (versions == nullptr || !versions->is_array()) return "null";
  InternalText text;
  text.write_versions(*versions, own);
  return std::move(text).text();
}

std::vector<SchemaKeyword> set_keywords(const Tree& schema) {
  std::vector<SchemaKeyword> found;
  for (const auto& member : kSchemaMembers) {
    const Tree* value = schema.find(member.json);
    const bool is_flag = member.form == Form::kFlag;
    if (value == nullptr || value->is_null() || (is_flag && *value == Tree(false)) || *value == Tree("")) continue;
    found.push_back({member.name, member.json});
  }
  return found;
}

}  // namespace keelson::sandbox
