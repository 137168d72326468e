#include "src/sandbox/fields/field_check.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

using Type = Schema::Type;

// A step of the path of the walk: a field name, a map key, or a list index.
struct Step {
  std::string_view name;
  std::size_t index = 0;
  bool is_index = false;
  bool is_key = false;  // a map key, which Go's errors leave out
};

// The text in which the API server stores a quantity: "1024Mi" as "1Gi". Absent if the value is not a quantity.
std::optional<std::string> canonical_quantity(const Tree& value) {
  if (!value.is_string() && value.type() != Tree::Type::kNumber) return std::nullopt;
  const auto parsed = kube::Quantity::parse(value.scalar());
  return parsed ? std::optional(parsed->text()) : std::nullopt;
}

class FieldWalk {
 public:
  explicit FieldWalk(FieldFindings& findings) : findings_(findings) {}

  // Checks the value without changing it; true if a part must be dropped.
  bool check(const Tree& value, const Schema& schema, std::string_view in_struct);
  // The same for a custom kind; adds unknown fields to `unknown`.
  bool prune(const Tree& value, const Schema& schema, std::vector<std::string>& unknown);

  std::vector<Step> path;
  std::size_t hidden = 0;  // the number of steps that Go's errors leave out

 private:
  bool check_object(const Tree& value, const Schema& schema);
  bool check_map(const Tree& value, const Schema& schema, std::string_view in_struct);
  bool check_list(const Tree& value, const Schema& schema, std::string_view in_struct);
  bool check_scalar(const Tree& value, const Schema& schema, std::string_view in_struct);
  void check_integer(const Tree& value, const Schema& schema, std::string_view in_struct);
  void fail(std::string text) {
    if (!findings_.error) findings_.error = std::move(text);
  }
  void fail_type(const Tree& value, const std::string& type, std::string_view in_struct, bool shows_number = false);
  [[nodiscard]] std::string place() const;
  void note(const char* what) {
    if (findings_.strict.size() < kMostFieldFindings) findings_.strict.push_back(what + kube::short_quote(place()));
  }

  FieldFindings& findings_;
};

std::string FieldWalk::place() const {
  std::string text;
  for (const auto& step : path) {
    if (step.is_index) {
      text += "[" + std::to_string(step.index) + "]";
    } else {
      if (!text.empty()) text += ".";
      text += step.name;
    }
  }
  return text;
}

void FieldWalk::fail_type(const Tree& value, const std::string& type, std::string_view in_struct, bool shows_number) {
  if (findings_.error) return;
  std::string text = "json: cannot unmarshal " + go_kind(value);
  if (shows_number && value.type() == Tree::Type::kNumber) text += " " + value.scalar();
  text += " into Go struct field ";
  text += in_struct;
  for (std::size_t i = hidden; i < path.size(); ++i) {
    if (path[i].is_index || path[i].is_key) continue;
    text += ".";
    text += path[i].name;
  }
  fail(text + " of type " + type);
}

void FieldWalk::check_integer(const Tree& value, const Schema& schema, std::string_view in_struct) {
  const auto& text = value.scalar();
  const bool fits = schema.is_wide ? base::parse_number<std::int64_t>(text).has_value()
                                   : base::parse_number<std::int32_t>(text).has_value();
  if (!fits) fail_type(value, schema.go_type, in_struct, true);
}

bool FieldWalk::check_scalar(const Tree& value, const Schema& schema, std::string_view in_struct) {
  const bool is_number = value.type() == Tree::Type::kNumber;
  switch (schema.type) {
    case Type::kString:
      if (!value.is_string()) fail_type(value, schema.go_type, in_struct);
      return false;
    case Type::kBytes:
      if (value.is_string()) {
        if (auto bytes = base::base64_decode(value.scalar()); !bytes) fail(bytes.error().text);
      } else if (!value.is_array()) {
        fail_type(value, schema.go_type, in_struct);
      }
      return false;
    case Type::kInteger:
    case Type::kIntOrString:
      if (schema.type == Type::kIntOrString && value.is_string()) return false;
      if (is_number) check_integer(value, schema, in_struct);
      if (!is_number) fail_type(value, schema.go_type, in_struct);
      return false;
    case Type::kNumber:
      if (!is_number) fail_type(value, schema.go_type, in_struct);
      return false;
    case Type::kBool:
      if (value.type() != Tree::Type::kBool) fail_type(value, schema.go_type, in_struct);
      return false;
    case Type::kQuantity:
      if (const auto text = canonical_quantity(value)) return is_number || *text != value.scalar();
      fail(R"(quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$')");
      return false;
    case Type::kTime:
    case Type::kMicroTime:
      if (!value.is_string()) {
        fail_type(value, schema.go_type, in_struct);
      } else if (auto wrong = time_error(value.scalar(), schema.type == Type::kMicroTime)) {
        fail(*wrong);
      }
      return false;
    default:
      return false;
  }
}

bool FieldWalk::check_object(const Tree& value, const Schema& schema) {
  bool is_dirty = false;
  for (const auto& [name, member] : value.members()) {
    path.push_back({name});
    const auto* field = schema.find(name);
    if (field == nullptr) {
      note("unknown field ");
      is_dirty = true;
    } else {
      is_dirty = check(member, field->part.schema(), schema.struct_name()) || is_dirty;
    }
    path.pop_back();
  }
  return is_dirty;
}

bool FieldWalk::check_map(const Tree& value, const Schema& schema, std::string_view in_struct) {
  bool is_dirty = false;
  for (const auto& [name, member] : value.members()) {
    path.push_back({.name = name, .is_key = true});
    is_dirty = check(member, schema.items.schema(), in_struct) || is_dirty;
    path.pop_back();
  }
  return is_dirty;
}

bool FieldWalk::check_list(const Tree& value, const Schema& schema, std::string_view in_struct) {
  bool is_dirty = false;
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    path.push_back({.name = {}, .index = i, .is_index = true});
    is_dirty = check(value.items()[i], schema.items.schema(), in_struct) || is_dirty;
    path.pop_back();
  }
  return is_dirty;
}

bool FieldWalk::check(const Tree& value, const Schema& schema, std::string_view in_struct) {
  if (value.is_null()) return true;
  switch (schema.type) {
    case Type::kAny:
      return false;
    case Type::kObject:
      if (value.is_object()) return check_object(value, schema);
      break;
    case Type::kMap:
      if (value.is_object()) return check_map(value, schema, in_struct);
      break;
    case Type::kList:
      if (value.is_array()) return check_list(value, schema, in_struct);
      break;
    default:
      return check_scalar(value, schema, in_struct);
  }
  fail_type(value, schema.go_type, in_struct);
  return false;
}

bool FieldWalk::prune(const Tree& value, const Schema& schema, std::vector<std::string>& unknown) {
  bool is_dirty = false;
  if (value.is_array() && schema.type == Type::kList) {
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      path.push_back({.name = {}, .index = i, .is_index = true});
      is_dirty = prune(value.items()[i], schema.items.schema(), unknown) || is_dirty;
      path.pop_back();
    }
  }
  const bool is_object = value.is_object() && (schema.type == Type::kObject || schema.type == Type::kMap);
  if (!is_object) return is_dirty;
  for (const auto& [name, member] : value.members()) {
    path.push_back({name});
    const auto* field = schema.find(name);
    if (schema.type == Type::kMap) {
      is_dirty = prune(member, schema.items.schema(), unknown) || is_dirty;
    } else if (field != nullptr) {
      is_dirty = prune(member, field->part.schema(), unknown) || is_dirty;
    } else if (!schema.keeps_unknown) {
      if (unknown.size() < kMostFieldFindings) unknown.push_back("unknown field " + kube::short_quote(place()));
      is_dirty = true;
    }
    path.pop_back();
  }
  return is_dirty;
}

// Removes the parts that check() found.
void clean(Tree& value, const Schema& schema) {
  if (schema.type == Type::kQuantity) {
    if (auto text = canonical_quantity(value)) value = Tree(std::move(*text));
  } else if (schema.type == Type::kList && value.is_array()) {
    for (auto& item : value.items()) {
      const auto& inner = schema.items.schema();
      if (item.is_null()) item = inner.type == Type::kString ? Tree("") : Tree::object();
      clean(item, inner);
    }
  } else if (schema.type == Type::kMap && value.is_object()) {
    const auto& inner = schema.items.schema();
    for (auto& [name, member] : value.members()) {
      if (member.is_null() && inner.type == Type::kString) member = Tree("");
      clean(member, inner);
    }
  } else if (schema.type == Type::kObject && value.is_object()) {
    std::erase_if(value.members(),
                  [&](const auto& member) { return member.second.is_null() || schema.find(member.first) == nullptr; });
    for (auto& [name, member] : value.members()) clean(member, schema.find(name)->part.schema());
  }
}

void drop_unknown(Tree& value, const Schema& schema) {
  if (schema.type == Type::kList && value.is_array()) {
    for (auto& item : value.items()) drop_unknown(item, schema.items.schema());
  } else if (schema.type == Type::kMap && value.is_object()) {
    for (auto& [name, member] : value.members()) drop_unknown(member, schema.items.schema());
  } else if (schema.type == Type::kObject && value.is_object()) {
    if (!schema.keeps_unknown) {
      std::erase_if(value.members(), [&](const auto& member) { return schema.find(member.first) == nullptr; });
    }
    for (auto& [name, member] : value.members()) {
      if (const auto* field = schema.find(name)) drop_unknown(member, field->part.schema());
    }
  }
}

// The fields that every object has in addition to its own.
bool is_common(const std::string& name) { return name == "apiVersion" || name == "kind" || name == "metadata"; }

}  // namespace

FieldFindings check_fields(Tree& object, const Schema& schema) {
  FieldFindings findings;
  FieldWalk walk(findings);
  const bool is_dirty = walk.check(std::as_const(object), schema, "");
  if (is_dirty && !findings.error) clean(object, schema);
  return findings;
}

FieldFindings check_custom_fields(Tree& object, const Schema& schema) {
  FieldFindings findings;
  const auto& metadata_schema = *built_in_schema("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  if (const Tree* metadata = std::as_const(object).find("metadata")) {
    FieldWalk walk(findings);
    walk.path.push_back({"metadata"});
    walk.hidden = 1;
    if (walk.check(*metadata, metadata_schema, "") && !findings.error) clean(object["metadata"], metadata_schema);
  }
  if (schema.type != Type::kObject) return findings;
  std::vector<std::string> unknown;
  FieldWalk walk(findings);
  std::vector<std::string> unknown_names;
  for (const auto& [name, member] : std::as_const(object).members()) {
    if (is_common(name)) continue;
    const auto* field = schema.find(name);
    walk.path.assign(1, {name});
    if (field != nullptr) {
      walk.prune(member, field->part.schema(), unknown);
    } else if (!schema.keeps_unknown) {
      if (unknown.size() < kMostFieldFindings) unknown.push_back("unknown field " + kube::short_quote(name));
      unknown_names.push_back(name);
    }
  }
  if (unknown.empty()) return findings;
  for (const auto& name : unknown_names) object.erase(name);
  for (auto& [name, member] : object.members()) {
    const auto* field = is_common(name) ? nullptr : schema.find(name);
    if (field != nullptr) drop_unknown(member, field->part.schema());
  }
  std::ranges::sort(unknown);
  for (auto& one : unknown) {
    if (findings.strict.size() < kMostFieldFindings) findings.strict.push_back(std::move(one));
  }
  return findings;
}

}  // namespace keelson::sandbox
