#include "src/sandbox/custom/list_types.hpp"

#include <algorithm>
#include <map>

#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/custom/value_parts.hpp"
#include "src/sandbox/custom/value_scalars.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

// Each duplicate entry is reported once, however often it occurs.
void check_set(const Tree& value, const std::string& path, FieldErrors& errors) {
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    const auto& item = value.items()[i];
    if (++seen[go_json(item)] == 2) errors.duplicate(index_path(path, i), item);
  }
}

void check_map(const Tree& value, const ValueSchema& schema, const std::string& path, FieldErrors& errors) {
  const auto& items = value.items();
  const auto wrong = std::ranges::find_if(items, [](const Tree& item) { return !item.is_null() && !item.is_object(); });
  if (wrong != items.end()) {
    return errors.invalid(index_path(path, static_cast<std::size_t>(wrong - items.begin())), *wrong,
                          "must be an object for an array of list-type map");
  }
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto key = entry_key(items[i], schema);
    if (++seen[key] == 2) errors.add({FieldReason::kDuplicate, index_path(path, i), kube::short_text(key)});
  }
}

void check_lists(const Tree& value, const ValueSchema& schema, const std::string& path, FieldErrors& errors) {
  if (errors.is_full()) return;
  if (value.is_array() && schema.list_type == "set") check_set(value, path, errors);
  if (value.is_array() && schema.list_type == "map") check_map(value, schema, path, errors);
  for_each_part(value, schema, path, &ValueSchema::has_list_types,
                [&errors](const Tree& part, const ValueSchema& of_part, const std::string& at) {
                  check_lists(part, of_part, at, errors);
                });
}

}  // namespace

void check_list_types(const Tree& object, const ValueSchema& schema, std::vector<FieldError>& errors) {
  FieldErrors bounded(errors);
  check_lists(object, schema, "", bounded);
}

}  // namespace keelson::sandbox
