#include "src/sandbox/kinds/object_form.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/fields/go_forms.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/http/openapi_paths.hpp"
#include "src/sandbox/kinds/defaults.hpp"
#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

namespace {

using Type = GoField::Type;

constexpr std::string_view kMetadataForm = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

void shape(Tree& object, const GoForm& form);

// The zero value of a Go type, as JSON.
Tree zero_of(const GoField& field) {
  if (field.is_pointer) return {};
  switch (field.type) {
    case Type::kString:
    case Type::kBytes:
      return {""};
    case Type::kNumber:
    case Type::kIntOrString:
      return {0};
    case Type::kBool:
      return {false};
    case Type::kQuantity:
      return {"0"};
    case Type::kStruct:
      return Tree::object();
    default:
      return {};
  }
}

// A value that is present in Go, too. The zero time is absent.
bool is_value_type(const GoField& field) {
  switch (field.type) {
    case Type::kStruct:
    case Type::kQuantity:
    case Type::kIntOrString:
    case Type::kTime:
    case Type::kMicroTime:
    case Type::kRaw:
      return !field.is_pointer;
    default:
      return false;
  }
}

// Whether Go has the same value if the member is absent.
bool is_absent(const Tree& value, const GoField* field) {
  if (field != nullptr && field->type == Type::kDisabled) return true;
  if (field != nullptr && (field->is_pointer || field->type == Type::kStruct)) return value.is_null();
  if (field != nullptr && field->type == Type::kRaw) return value.is_null() || (value.is_array() && value.is_empty());
  return is_zero(value);
}

// The members of the outermost object that are not visited.
struct Skipped {
  std::string_view absent = {};             // not added
  std::vector<std::string> unchanged = {};  // in this form already

  [[nodiscard]] bool includes(const std::string& name) const {
    return name == absent || std::ranges::find(unchanged, name) != unchanged.end();
  }
};

void decode_struct(Tree& object, const GoForm& form);

// Visits a struct, or those of a list or map. A schema in a CRD may be a bool, and `items` may be a list of schemas.
void for_each_struct(Tree& value, const GoForm& form, bool is_map, void (*visit)(Tree& object, const GoForm& form)) {
  if (value.is_array()) {
    for (auto& item : value.items()) {
      if (item.is_object()) visit(item, form);
    }
  } else if (value.is_object() && is_map) {
    for (auto& [name, member] : value.members()) {
      if (member.is_object()) visit(member, form);
    }
  } else if (value.is_object()) {
    visit(value, form);
  }
}

// The object as it is after decoding: without absent values, but with the structs that Go's types contain.
void decode(Tree& object, const GoForm& form, const Skipped& skipped = {}) {
  const auto is_dropped = [&](const auto& member) {
    return is_absent(member.second, form.find(member.first)) && !skipped.includes(member.first);
  };
  if (std::ranges::any_of(std::as_const(object).members(), is_dropped)) std::erase_if(object.members(), is_dropped);
  for (const auto& [name, field] : form.fields) {
    const bool is_struct = field.type == Type::kStruct && !field.is_pointer;
    const bool is_map = field.type == Type::kMap;
    const Tree* found = std::as_const(object).find(name);
    if ((found == nullptr && !is_struct) || skipped.includes(name)) continue;
    if (found == nullptr) object[name] = Tree::object();
    if (field.form() != nullptr) for_each_struct(*object.find(name), *field.form(), is_map, decode_struct);
  }
}

void decode_struct(Tree& object, const GoForm& form) { decode(object, form); }

void set_absent(Tree& object, const Tree& defaults, const GoForm* form) {
  for (const auto& [name, value] : defaults.members()) {
    const auto* field = form != nullptr ? form->find(name) : nullptr;
    const Tree* found = std::as_const(object).find(name);
    const bool is_missing = found == nullptr || is_absent(*found, field);
    const bool has_parts = !value.members().empty();
    if (is_missing) object[name] = has_parts ? Tree::object() : value;
    if (has_parts) set_absent(object[name], value, field != nullptr ? field->form() : nullptr);
  }
}

void write_time(Tree& value, bool is_micro) {
  const auto time = value.is_string() ? parse_go_time(value.scalar()) : std::nullopt;
  if (!time) return;
  auto text = format_go_time(*time, is_micro);
  if (text != value.scalar()) value = Tree(text);
}

// Go's decoder skips line breaks in base64, and takes a list of numbers for bytes.
void write_bytes(Tree& value) {
  if (value.is_null()) value = Tree("");
  if (value.is_array()) {
    std::string bytes;
    for (const auto& item : value.items()) {
      bytes += static_cast<char>(base::parse_number<std::uint8_t>(item.scalar()).value_or(0));
    }
    value = Tree(base::base64_encode(bytes));
  }
  if (value.scalar().find_first_of("\r\n") == std::string::npos) return;
  auto text = value.scalar();
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
  value = Tree(text);
}

// Amounts of resources are rounded up to thousandths.
void write_amount(Tree& value) {
  const auto amount = kube::Quantity::parse(value.scalar());
  if (!amount) return;
  const auto text = amount->text();
  const bool is_fine = text.ends_with('n') || text.ends_with('u');
  const auto rounded = is_fine ? kube::Quantity::parse(std::to_string(amount->milli_value()) + "m") : amount;
  if (!rounded) return;
  const auto written = rounded->text();
  if (!value.is_string() || written != value.scalar()) value = Tree(written);
}

// A quantity has a canonical text: "1024Mi" is "1Gi".
void write_quantity(Tree& value) {
  const auto amount = kube::Quantity::parse(value.scalar());
  if (!amount || value.is_null()) return;
  const auto text = amount->text();
  if (!value.is_string() || text != value.scalar()) value = Tree(text);
}

void write_members(Tree& value, void (*write)(Tree&)) {
  for (auto& [name, member] : value.members()) write(member);
}

void write_items(Tree& value, void (*write)(Tree&)) {
  for (auto& item : value.items()) write(item);
}

void write_field(Tree& value, const GoField& field) {
  switch (field.type) {
    case Type::kQuantity:
      write_quantity(value);
      break;
    case Type::kTime:
    case Type::kMicroTime:
      write_time(value, field.type == Type::kMicroTime);
      break;
    case Type::kBytes:
      write_bytes(value);
      break;
    case Type::kBytesMap:
      write_members(value, write_bytes);
      break;
    case Type::kResources:
      write_members(value, write_amount);
      break;
    case Type::kList:
    case Type::kMap:
    case Type::kStruct:
      if (field.item == Type::kQuantity && value.is_array()) write_items(value, write_quantity);
      if (field.item == Type::kQuantity && value.is_object()) write_members(value, write_quantity);
      if (field.item == Type::kTime) write_members(value, [](Tree& time) { write_time(time, false); });
      if (field.form() != nullptr) for_each_struct(value, *field.form(), field.type == Type::kMap, shape);
      break;
    default:
      break;
  }
}

// The members as they are after encoding.
void encode(Tree& object, const GoForm& form, const Skipped& skipped) {
  for (const auto& [name, field] : form.fields) {
    if (skipped.includes(name)) continue;
    if (std::as_const(object).find(name) == nullptr) {
      if (field.is_always || is_value_type(field)) object[name] = zero_of(field);
    } else if (field.type > Type::kBool) {
      write_field(*object.find(name), field);
    }
  }
}

void set_all_defaults(Tree& object, const GoForm& form) {
  set_absent(object, form.defaults, &form);
  if (form.complete != nullptr) form.complete(object);
}

// Adds the defaults and encodes a decoded object.
void shape(Tree& object, const GoForm& form) {
  set_all_defaults(object, form);
  encode(object, form, {});
}

// The zero value of a Go type: without defaults.
void zero(Tree& object, const GoForm& form) {
  for (const auto& [name, field] : form.fields) {
    if (!field.is_always && !is_value_type(field)) continue;
    object[name] = zero_of(field);
    if (field.type == Type::kStruct && !field.is_pointer && field.form() != nullptr) zero(object[name], *field.form());
  }
}

void shape_metadata(Tree& object) {
  if (Tree* metadata = object.find("metadata"); metadata != nullptr && metadata->is_object()) {
    decode(*metadata, *go_form(kMetadataForm));
    shape(*metadata, *go_form(kMetadataForm));
  }
}

// The metadata of embedded resources.
void shape_embedded(Tree& value, const ValueSchema& schema) {
  if (schema.is_embedded) shape_metadata(value);
  if (schema.items != nullptr && schema.items->has_embedded) {
    for (auto& item : value.items()) shape_embedded(item, *schema.items);
  }
  for (auto& [name, member] : value.members()) {
    const auto* part = schema.find(name);
    if (part != nullptr && part->has_embedded) shape_embedded(member, *part);
  }
}

std::vector<std::string> shared_members(const Tree& object, const Tree* before) {
  std::vector<std::string> names;
  if (before == nullptr) return names;
  for (const auto& [name, value] : object.members()) {
    const Tree* same = before->find(name);
    if (same != nullptr && *same == value) names.push_back(name);
  }
  return names;
}

}  // namespace

void pass_through_type(const ServedKind& kind, Tree& object, const Tree* before) {
  const auto* form = kind.is_custom ? nullptr : go_form(openapi_name(kind));
  if (form == nullptr) {
    shape_metadata(object);
    if (kind.values != nullptr && kind.values->has_embedded) shape_embedded(object, *kind.values);
    return;
  }
  const bool has_status = std::as_const(object).find("status") != nullptr;
  const Skipped skipped{.absent = has_status ? "" : "status", .unchanged = shared_members(object, before)};
  decode(object, *form, skipped);
  set_all_defaults(object, *form);
  encode(object, *form, skipped);
  complete_write(kind.resource, object, before);
}

void add_status(const ServedKind& kind, Tree& object) {
  if (!kind.status_default.is_null()) object.set_default("status", kind.status_default);
  const auto* form = kind.is_custom ? nullptr : go_form(openapi_name(kind));
  const auto* field = form != nullptr ? form->find("status") : nullptr;
  if (field == nullptr || field->form() == nullptr || field->is_pointer) return;
  object.set_default("status", Tree::object());
  auto& status = object["status"];
  decode(status, *field->form());
  shape(status, *field->form());
}

Tree with_empty_parts(Tree object, const Tree& sent) {
  if (object.items().size() == sent.items().size()) {
    for (std::size_t i = 0; i < sent.items().size(); ++i) {
      object.items()[i] = with_empty_parts(std::move(object.items()[i]), sent.items()[i]);
    }
  }
  if (!object.is_object()) return object;
  for (const auto& [name, value] : sent.members()) {
    if (!value.is_object() && !value.is_array()) continue;
    const Tree* found = std::as_const(object).find(name);
    const bool is_empty = value.is_empty() && (found == nullptr || found->is_null());
    if (is_empty) object[name] = value;
    if (!is_empty && found != nullptr) object[name] = with_empty_parts(std::move(object[name]), value);
  }
  return object;
}

Tree zero_object(const ServedKind& kind) {
  auto object = Tree::object();
  if (const auto* form = kind.is_custom ? nullptr : go_form(openapi_name(kind))) zero(object, *form);
  return object;
}

}  // namespace keelson::sandbox
