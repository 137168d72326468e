#include "src/schema/constraint_check.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/nearest.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "keelson/json/writer.hpp"
#include "src/schema/rule_check.hpp"

namespace keelson::kube::detail {

namespace {

using Shape = Type::Shape;

// Constraints of an optional are those of its value.
const Type& without_optional(const Type& type) {
  return type.shape == Shape::kOptional ? without_optional(*type.element) : type;
}

// A field, or the elements of a field.
struct FieldPlace {
  const Type& type;  // not an optional
  const Constraints& constraints;
  std::string path;

  [[nodiscard]] const Constraints::Rules& rules() const { return constraints.rules(); }
  // RawJson, and types with their own schema: any constraint may fit.
  [[nodiscard]] bool is_free() const { return type.shape == Shape::kRaw || type.shape == Shape::kCustom; }
  [[nodiscard]] bool is_number() const {
    return type.shape == Shape::kInt32 || type.shape == Shape::kInt64 || type.shape == Shape::kNumber;
  }
};

class ConstraintCheck {
 public:
  explicit ConstraintCheck(std::string_view owner) : owner_(owner) {}

  void check_struct(const Type& type, const std::string& path);

 private:
  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    const auto at = path.empty() ? std::string() : "the field " + json::quoted(path) + ": ";
    throw base::Misuse("describe(" + owner_ + "): " + at + what);
  }
  // Fails if the constraint is set but does not fit the type: it would have no effect.
  void only(bool is_set, bool fits, const FieldPlace& place, std::string_view call, std::string_view types) const {
    if (is_set && !fits) {
      fail(place.path, std::string(call) + " is for " + std::string(types) + ": remove it, or change the type");
    }
  }
  template <class Number>
  void check_range(const std::optional<Number>& least, const std::optional<Number>& most, const FieldPlace& place,
                   std::string_view what) const {
    if (least && most && *least > *most) {
      fail(place.path, "no value is valid: the minimum " + std::string(what) + " exceeds the maximum");
    }
  }
  void check_field(const FieldPlace& place);
  void check_types(const FieldPlace& place) const;
  void check_ranges(const FieldPlace& place) const;
  void check_raw(const FieldPlace& place) const;
  void check_list(const FieldPlace& place) const;
  void check_map_keys(const FieldPlace& place) const;
  void check_default(const FieldPlace& place) const;
  void check_known(json::View value, const Type& type, const std::string& path) const;
  void check_rule(const CelRule& rule, const Type& type, const std::string& path) const;
  void check_below(const FieldPlace& place);

  std::string owner_;
  std::vector<const Description*> open_;  // the enclosing structs
};

void ConstraintCheck::check_types(const FieldPlace& place) const {
  const auto& rules = place.rules();
  const auto shape = place.type.shape;
  const bool is_free = place.is_free();
  const bool is_text = shape == Shape::kString || is_free;
  const bool is_number = place.is_number() || is_free;
  const bool is_list = shape == Shape::kList || shape == Shape::kRaw;
  const bool is_map = shape == Shape::kMap || shape == Shape::kRaw;
  only(rules.minimum || rules.maximum, is_number, place, "minimum() or maximum()", "numbers");
  only(rules.multiple_of.has_value(), is_number, place, "multiple_of()", "numbers");
  only(rules.min_length || rules.max_length, is_text, place, "min_length() or max_length()", "strings");
  only(!rules.pattern.empty(), is_text, place, "pattern()", "strings");
  only(!rules.format.empty(), is_text || shape == Shape::kNumber, place, "format()", "strings and double");
  only(!rules.one_of.empty(), is_text, place, "one_of() with texts", "strings");
  only(!rules.one_of_numbers.empty(), is_number, place, "one_of() with numbers", "numbers");
  only(rules.min_items || rules.max_items, is_list, place, "min_items() or max_items()", "lists");
  only(rules.list_type != ListType::kUnset, is_list, place, "list_type() or list_map()", "lists");
  only(rules.min_properties || rules.max_properties, is_map, place, "min_properties() or max_properties()",
       "maps and RawJson (for a struct: d.at_least_one_of and its siblings)");
  only(rules.map_type != MapType::kUnset, is_map || shape == Shape::kStruct, place, "map_type()", "maps and structs");
  only(rules.int_or_string, shape == Shape::kRaw, place, "int_or_string()", "RawJson");
  only(rules.embedded_resource, shape == Shape::kRaw, place, "embedded_resource()", "RawJson");
  only(!rules.schema.empty(), shape == Shape::kRaw, place, "schema()", "RawJson");
  only(rules.preserve_unknown_fields && !rules.embedded_resource, shape == Shape::kRaw || shape == Shape::kStruct,
       place, "preserve_unknown_fields()", "RawJson and structs");
  only(place.constraints.element() != nullptr, shape == Shape::kList || shape == Shape::kMap, place, "items()",
       "lists and maps");
}

void ConstraintCheck::check_ranges(const FieldPlace& place) const {
  const auto& rules = place.rules();
  check_range(rules.minimum, rules.maximum, place, "number");
  check_range(rules.min_length, rules.max_length, place, "length");
  check_range(rules.min_items, rules.max_items, place, "number of items");
  check_range(rules.min_properties, rules.max_properties, place, "number of properties");
  if (rules.multiple_of && (*rules.multiple_of < 1 || std::trunc(*rules.multiple_of) != *rules.multiple_of)) {
    fail(place.path, "multiple_of() takes a whole number above 0: the API server drops the fraction of any other");
  }
  if (!rules.pattern.empty()) static_cast<void>(compiled(rules.pattern));
}

void ConstraintCheck::check_raw(const FieldPlace& place) const {
  const auto& rules = place.rules();
  if (rules.int_or_string && rules.preserve_unknown_fields) {
    fail(place.path, "int_or_string() cannot be combined with preserve_unknown_fields() or embedded_resource()");
  }
  const bool has_properties = rules.min_properties || rules.max_properties || rules.map_type != MapType::kUnset;
  if (place.type.shape == Shape::kRaw && has_properties && !rules.preserve_unknown_fields && rules.schema.empty()) {
    fail(place.path,
         "constraints of properties need an object, and a RawJson may be any value: add preserve_unknown_fields(), "
         "which makes it an object");
  }
  const bool has_items = rules.min_items || rules.max_items || rules.list_type != ListType::kUnset;
  if (place.type.shape == Shape::kRaw && has_items && rules.schema.empty()) {
    fail(place.path,
         "constraints of items need a list, and a RawJson may be any value: use a std::vector, or schema()");
  }
}

void ConstraintCheck::check_list(const FieldPlace& place) const {
  const auto& rules = place.rules();
  if (rules.list_type == ListType::kMap && place.type.shape == Shape::kList) check_map_keys(place);
  if (rules.list_type != ListType::kSet || place.type.shape != Shape::kList) return;
  static const Constraints::Rules kNone;
  const auto* of_items = place.constraints.element();
  const auto& items = of_items != nullptr ? of_items->rules() : kNone;
  const auto shape = without_optional(*place.type.element).shape;
  const bool is_object = shape == Shape::kStruct || shape == Shape::kMap;
  if (is_object && items.map_type != MapType::kAtomic) {
    fail(place.path,
         "objects of a set are compared as a whole: add .items().map_type(kube::MapType::kAtomic), or use list_map()");
  }
  if (shape == Shape::kList && items.list_type != ListType::kUnset && items.list_type != ListType::kAtomic) {
    fail(place.path, "lists of a set are compared as a whole: make them ListType::kAtomic");
  }
}

void ConstraintCheck::check_map_keys(const FieldPlace& place) const {
  const auto* description = without_optional(*place.type.element).fields();
  if (description == nullptr) fail(place.path, "list_map() needs a list of described structs");
  const auto& keys = place.rules().map_keys;
  if (keys.empty()) fail(place.path, "a list of type kMap needs its keys: use list_map({\"name\"})");
  std::vector<std::string_view> known;
  for (const auto& field : description->fields()) known.push_back(field.name);
  for (auto key = keys.begin(); key != keys.end(); ++key) {
    const auto at = "the key " + json::quoted(*key) + " of list_map()";
    if (std::find(keys.begin(), key, *key) != key) fail(place.path, at + " is listed twice");
    const auto found = std::ranges::find(known, *key);
    if (found == known.end()) {
      const auto near = base::nearest(*key, known);
      fail(place.path,
           at + " is not a field of the items" + (near ? " (did you mean " + std::string(*near) + "?)" : ""));
    }
    const auto& field = description->fields()[static_cast<std::size_t>(found - known.begin())];
    const auto shape = without_optional(*field.type).shape;
    const bool is_scalar =
        shape != Shape::kList && shape != Shape::kMap && shape != Shape::kStruct && shape != Shape::kRaw;
    if (!is_scalar) fail(place.path, at + " must be a scalar");
    const auto& rules = field.constraints.rules();
    if (!rules.required && rules.default_value.empty()) {
      fail(place.path, at + " may be missing in an item: describe it as required(), or with a default_value()");
    }
    if (rules.nullable) fail(place.path, at + " cannot be nullable()");
  }
}

// The API server prunes a default by the schema, and rejects it if it would lose a member.
void ConstraintCheck::check_known(json::View value, const Type& type, const std::string& path) const {
  const Type& inner = without_optional(type);
  if (inner.shape == Shape::kList) {
    for (const auto item : value.items()) check_known(item, *inner.element, path);
  } else if (inner.shape == Shape::kMap) {
    for (const auto& [key, member] : value.members()) check_known(member, *inner.element, path);
  } else if (const auto* description = inner.fields()) {
    for (const auto& [name, member] : value.members()) {
      const auto& fields = description->fields();
      const auto found = std::ranges::find_if(fields, [&name = name](const auto& field) { return field.name == name; });
      if (found == fields.end()) fail(path, "its default has the unknown field " + json::quoted(name));
      check_known(member, *found->type, path);
    }
  }
}

void ConstraintCheck::check_default(const FieldPlace& place) const {
  const auto& rules = place.rules();
  if (rules.default_value.empty()) return;
  const auto document = json::Document::parse(rules.default_value);
  if (!document) fail(place.path, "its default is not JSON: " + document.error().message());
  if (document->root().is_null()) {
    if (!rules.nullable) fail(place.path, "its default is null: add nullable(), or remove the default");
    return;
  }
  void* value = make_value(place.type);
  const auto decoded = decode_json(rules.default_value, place.type, value, place.path);
  std::string wrong = decoded ? std::string() : decoded.error().text;
  if (decoded) {
    const auto errors = validate_field(place.type, &place.constraints, value, place.path);
    if (!errors.empty()) wrong = errors.front().message();
  }
  delete_value(place.type, value);
  if (!wrong.empty()) fail(place.path, "its default " + std::string(rules.default_value) + " is not valid: " + wrong);
  check_known(document->root(), place.type, place.path);
}

void ConstraintCheck::check_rule(const CelRule& rule, const Type& type, const std::string& path) const {
  if (const auto wrong = rule_error(rule); !wrong.empty()) fail(path, wrong);
  const auto names = names_of_rule_path(rule.field_path);
  if (!names) return;
  const Type* at = &without_optional(type);
  for (const auto& name : *names) {
    if (at->shape == Shape::kRaw || at->shape == Shape::kCustom) return;
    const auto* description = at->fields();
    std::vector<std::string_view> known;
    const Type* next = at->shape == Shape::kMap ? at->element : nullptr;
    if (description != nullptr) {
      for (const auto& field : description->fields()) {
        known.push_back(field.name);
        if (field.name == name) next = field.type;
      }
    }
    if (next == nullptr) {
      const auto near = base::nearest(name, known);
      fail(path, "the rule " + json::quoted(rule.rule) + ": its field_path has the unknown field " +
                     json::quoted(name) + (near ? " (did you mean " + std::string(*near) + "?)" : ""));
    }
    at = &without_optional(*next);
  }
}

void ConstraintCheck::check_field(const FieldPlace& place) {
  check_types(place);
  check_ranges(place);
  check_raw(place);
  check_list(place);
  for (const auto& rule : place.rules().cel) check_rule(rule, place.type, place.path);
  check_below(place);
  check_default(place);
}

void ConstraintCheck::check_below(const FieldPlace& place) {
  if (place.type.shape == Shape::kStruct) return check_struct(place.type, place.path);
  if (place.type.shape != Shape::kList && place.type.shape != Shape::kMap) return;
  static const Constraints kNone;
  const auto* of_items = place.constraints.element();
  const auto path = place.path + (place.type.shape == Shape::kList ? "[]" : "[*]");
  check_field({without_optional(*place.type.element), of_items != nullptr ? *of_items : kNone, path});
}

void ConstraintCheck::check_struct(const Type& type, const std::string& path) {
  const auto& description = *type.fields();
  if (std::ranges::find(open_, &description) != open_.end()) {
    fail(path, "the struct contains itself, and a schema cannot be recursive: use kube::RawJson for this field");
  }
  open_.push_back(&description);
  for (const auto& field : description.fields()) {
    check_field({without_optional(*field.type), field.constraints,
                 path.empty() ? std::string(field.name) : path + "." + std::string(field.name)});
  }
  for (const auto& rule : description.rules()) check_rule(rule, type, path);
  for (const auto name : description.counted()) {
    const auto& fields = description.fields();
    if (std::ranges::any_of(fields, [name](const auto& field) { return field.name == name; })) continue;
    fail(path, json::quoted(name) +
                   " in at_most_one_of(), exactly_one_of() or at_least_one_of() is not a field of the struct");
  }
  open_.pop_back();
}

}  // namespace

void check_constraints(const Type& type, std::string_view owner) {
  const Type& inner = without_optional(type);
  if (inner.shape == Shape::kStruct) ConstraintCheck(owner).check_struct(inner, {});
}

}  // namespace keelson::kube::detail
