#include "src/sandbox/fields/field_check.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/sandbox/fields/field_place.hpp"
#include "src/sandbox/fields/go_structs.hpp"
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

bool is_quantity(const Tree& value) {
  const bool can_be = value.is_string() || value.type() == Tree::Type::kNumber;
  return can_be && kube::Quantity::parse(value.scalar());
}

// Removes the parts that check() found.
void clean(Tree& value, const Schema& schema) {
  if (schema.type == Type::kList && value.is_array()) {
    for (auto& item : value.items()) {
      const auto& inner = schema.items.schema();
      const bool is_zero = item.is_null() && inner.type != Type::kAny;
      if (is_zero) item = inner.type == Type::kString ? Tree("") : Tree::object();
      clean(item, inner);
    }
  } else if (schema.type == Type::kMap && value.is_object()) {
    const auto& inner = schema.items.schema();
    for (auto& [name, member] : value.members()) {
      if (member.is_null() && inner.type == Type::kString) member = Tree("");
      clean(member, inner);
    }
  } else if (schema.type == Type::kObject && value.is_object()) {
    std::erase_if(value.members(), [&](const auto& member) {
      const bool is_unknown = !schema.keeps_unknown && schema.find(member.first) == nullptr;
      return is_unknown || member.second.is_null();
    });
    for (auto& [name, member] : value.members()) {
      if (const auto* field = schema.find(name)) clean(member, field->part.schema());
    }
  }
}

class FieldWalk {
 public:
  explicit FieldWalk(FieldFindings& findings) : findings_(findings) {}

  // Checks the value without changing it; true if a part must be dropped.

  bool check(const Tree& value, const Schema& schema, std::string_view in_struct) {
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

  std::string_view definition;  // of the object; empty: a custom kind
  std::vector<Step> path;
  std::size_t hidden = 0;  // the number of steps that Go's errors leave out

 private:
  bool check_object(const Tree& value, const Schema& schema) {
    bool is_dirty = false;
    for (const auto& [name, member] : value.members()) {
      path.push_back({name});
      const auto* field = schema.find(name);
      if (field != nullptr) {
        is_dirty = check(member, field->part.schema(), schema.struct_name()) || is_dirty;
      } else if (!schema.keeps_unknown) {
        note("unknown field ");
        is_dirty = true;
      }
      path.pop_back();
    }
    return is_dirty;
  }

  bool check_map(const Tree& value, const Schema& schema, std::string_view in_struct) {
    bool is_dirty = false;
    for (const auto& [name, member] : value.members()) {
      path.push_back({.name = name, .is_key = true});
      is_dirty = check(member, schema.items.schema(), in_struct) || is_dirty;
      path.pop_back();
    }
    return is_dirty;
  }

  bool check_list(const Tree& value, const Schema& schema, std::string_view in_struct) {
    bool is_dirty = false;
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      path.push_back({.name = {}, .index = i, .is_index = true});
      is_dirty = check(value.items()[i], schema.items.schema(), in_struct) || is_dirty;
      path.pop_back();
    }
    return is_dirty;
  }

  bool check_scalar(const Tree& value, const Schema& schema, std::string_view in_struct) {
    const bool is_number = value.type() == Tree::Type::kNumber;
    switch (schema.type) {
      case Type::kString:
        if (!value.is_string()) fail_type(value, schema.go_type, in_struct);
        return false;
      case Type::kBytes:
        if (value.is_string()) {
          if (auto bytes = base::base64_decode(value.scalar()); !bytes) fail(bytes.error().text);
        } else if (value.is_array()) {
          for (const auto& item : value.items()) check_byte(item, in_struct);
        } else {
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
        if (is_quantity(value)) return false;
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

  // Go decodes a list of numbers, too.
  void check_byte(const Tree& value, std::string_view in_struct) {
    const bool is_byte = base::parse_number<std::uint8_t>(value.scalar()).has_value() && !value.is_string();
    if (!value.is_null() && !is_byte) fail_type(value, "uint8", in_struct, true);
  }

  void check_integer(const Tree& value, const Schema& schema, std::string_view in_struct) {
    const auto& text = value.scalar();
    const bool fits = schema.is_wide ? base::parse_number<std::int64_t>(text).has_value()
                                     : base::parse_number<std::int32_t>(text).has_value();
    if (!fits) fail_type(value, schema.go_type, in_struct, true);
  }

  void fail(std::string text) {
    if (!findings_.error) findings_.error = std::move(text);
  }

  void fail_type(const Tree& value, const std::string& type, std::string_view in_struct, bool shows_number = false) {
    if (findings_.error) return;
    std::string text = "json: cannot unmarshal " + go_kind(value);
    if (shows_number && value.type() == Tree::Type::kNumber) text += " " + value.scalar();
    if (path.size() <= hidden) return fail(text + " into Go value of type " + type);
    text += " into Go struct field ";
    text += in_struct;
    std::string_view named_type;
    const auto* at = go_struct(definition);
    for (std::size_t i = hidden; i < path.size(); ++i) {
      if (path[i].is_index || path[i].is_key) continue;
      const auto* member = at != nullptr ? at->find(path[i].name) : nullptr;
      if (member != nullptr && !member->embedded.empty()) text.append(".").append(member->embedded);
      text.append(".").append(path[i].name);
      named_type = member != nullptr ? std::string_view(member->named_type) : "";
      at = member != nullptr ? go_struct(member->definition) : nullptr;
    }
    fail(text + " of type " + go_type(type, named_type));
  }

  // The type of a text, or of a list or map of texts, with the name that it has in Go.
  static std::string go_type(const std::string& type, std::string_view named_type) {
    constexpr std::string_view kString = "string";
    if (named_type.empty() || !type.ends_with(kString)) return type;
    return type.substr(0, type.size() - kString.size()).append(named_type);
  }

  [[nodiscard]] std::string place() const {
    std::string text;
    for (const auto& step : path) step.is_index ? append_index(text, step.index) : append_name(text, step.name);
    return text;
  }

  void note(const char* what) {
    if (findings_.strict.size() < kMostFieldFindings) findings_.strict.push_back(what + kube::short_quote(place()));
  }

  FieldFindings& findings_;
};

}  // namespace

FieldFindings check_fields(Tree& object, const Schema& schema, std::string_view definition) {
  FieldFindings findings;
  FieldWalk walk(findings);
  walk.definition = definition;
  const bool is_dirty = walk.check(std::as_const(object), schema, "");
  if (is_dirty && !findings.error) clean(object, schema);
  return findings;
}

FieldFindings check_metadata_fields(Tree& metadata, std::string_view path) {
  FieldFindings findings;
  const auto& schema = *built_in_schema("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  FieldWalk walk(findings);
  walk.path.push_back({path});
  walk.hidden = 1;
  const bool is_dirty = walk.check(std::as_const(metadata), schema, "");
  std::ranges::sort(findings.strict);
  if (is_dirty && !findings.error) clean(metadata, schema);
  return findings;
}

}  // namespace keelson::sandbox
