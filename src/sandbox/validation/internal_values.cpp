#include "src/sandbox/validation/internal_values.hpp"

#include <memory>
#include <sstream>
#include <vector>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/fields/text_diff.hpp"
#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

namespace {

// The bytes of a text that is compared with another one. A longer one is cut, and only its beginning is shown.
constexpr std::size_t kMostCompared = std::size_t{1} << 20;

struct InternalField {
  std::string name;
  std::string place;  // in the API: the names of a path; `<` before them begins at the enclosing object
  std::string type;
  bool is_omitted_if_empty = false;
};

using InternalForm = std::vector<InternalField>;

InternalForm read_internal_form(std::string_view type) {
  const auto* data = find_definition("internal." + std::string(type));
  KEELSON_ASSERT(data != nullptr);
  std::istringstream stream(json_tree(data->json).scalar());
  const auto package = std::string(type.substr(0, type.find('.')));
  InternalForm form;
  InternalField field;
  while (stream >> field.name >> field.place >> field.type) {
    field.is_omitted_if_empty = field.type.ends_with('?');
    if (field.is_omitted_if_empty) field.type.pop_back();
    const std::size_t start = field.type.starts_with('[') ? 1 : 0;
    if (field.type.substr(start).starts_with('.')) field.type.insert(start, package);
    form.push_back(field);
  }
  return form;
}

const InternalForm& internal_form(std::string_view type) {
  // The forms are read from constants in the binary, so all servers of the process can share them.
  static base::TextMap<std::string, std::unique_ptr<const InternalForm>> known;
  auto found = known.find(type);
  if (found == known.end()) {
    found = known.emplace(std::string(type), std::make_unique<InternalForm>(read_internal_form(type))).first;
  }
  return *found->second;
}

std::string_view zero_text(char type) {
  switch (type) {
    case 's':
      return "\"\"";
    case 'n':
    case 'x':
      return "0";
    case 'b':
      return "false";
    case 'q':
      return "\"0\"";
    default:
      return "null";
  }
}

void add_internal(std::string& out, const Tree& value, const Tree& outer, std::string_view type);

void add_struct(std::string& out, const Tree& value, const Tree& outer, std::string_view type) {
  out += '{';
  bool is_first = true;
  for (const auto& field : internal_form(type)) {
    const bool is_outer = field.place.starts_with('<');
    const auto& part = value_at(is_outer ? outer : value, std::string_view(field.place).substr(is_outer ? 1 : 0));
    if (field.is_omitted_if_empty && is_zero(part)) continue;
    if (!is_first) out += ',';
    is_first = false;
    out += '"' + field.name + "\":";
    add_internal(out, part, value, field.type);
  }
  out += '}';
}

void add_list(std::string& out, const Tree& list, std::string_view type) {
  out += '[';
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    if (i > 0) out += ',';
    add_internal(out, list.items()[i], list, type);
  }
  out += ']';
}

void add_internal(std::string& out, const Tree& value, const Tree& outer, std::string_view type) {
  if (out.size() > kMostCompared) return;
  const bool is_pointer = type.ends_with('*');
  if (is_pointer) type.remove_suffix(1);
  const bool is_many = type.starts_with('[') || type == "l" || type == "L";
  if (value.is_null() && (is_many || is_pointer)) {
    out += "null";
  } else if (type.starts_with('[')) {
    add_list(out, value, type.substr(1, type.size() - 2));
  } else if (type.size() > 1) {
    add_struct(out, value, outer, type);
  } else if (value.is_null()) {
    out += zero_text(type[0]);
  } else {
    out += go_json(value);
  }
}

// As json.MarshalIndent with an indent of a space.
void print_indented(const Tree& value, const std::string& line_start, std::string& out) {
  const bool is_list = value.is_array();
  if ((!is_list && !value.is_object()) || value.is_empty()) {
    out += is_list ? "[]" : value.is_object() ? "{}" : go_json(value);
    return;
  }
  out += is_list ? "[" : "{";
  const auto inner = line_start + " ";
  const char* separator = "";
  for (const auto& item : value.items()) {
    out += separator + inner;
    print_indented(item, inner, out);
    separator = ",";
  }
  for (const auto& [name, member] : value.members()) {
    out += separator + inner + go_json(Tree(name)) + ": ";
    print_indented(member, inner, out);
    separator = ",";
  }
  out += line_start + (is_list ? "]" : "}");
}

std::string internal_json(const Tree& value, std::string_view type) {
  std::string out;
  add_internal(out, value, Tree(), type);
  return out;
}

std::string indented_text(std::string_view json) {
  std::string text;
  print_indented(json_tree(json), "\n", text);
  return text;
}

}  // namespace

std::string internal_text(const Tree& value, std::string_view type) {
  return kube::short_text(internal_json(value, type), kShownBytes);
}

bool are_equal_internally(const Tree& before, const Tree& after, std::string_view type) {
  const auto had = internal_json(before, type);
  return had.size() <= kMostCompared && had == internal_json(after, type);
}

std::string internal_difference(const Tree& before, const Tree& after, std::string_view type) {
  const auto had = internal_json(before, type);
  const auto has = internal_json(after, type);
  const bool is_cut = had.size() > kMostCompared || has.size() > kMostCompared;
  return is_cut ? "" : unified_diff(indented_text(had), indented_text(has));
}

}  // namespace keelson::sandbox
