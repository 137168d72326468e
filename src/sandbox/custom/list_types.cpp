#include "src/sandbox/custom/list_types.hpp"

#include <algorithm>
#include <map>

#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/custom/value_check.hpp"
#include "src/sandbox/custom/value_scalars.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

class ListTypes {
 public:
  explicit ListTypes(std::vector<FieldError>& errors) : errors_(errors) {}

  void check(const Tree& value, const ValueSchema& schema, const std::string& path) {
    if (!schema.has_list_types || errors_.is_full()) return;
    if (value.is_array()) {
      if (schema.list_type == "set") check_set(value, path);
      if (schema.list_type == "map") check_map(value, schema, path);
      if (!schema.items || !schema.items->has_list_types) return;
      for (std::size_t i = 0; i < value.items().size(); ++i) check(value.items()[i], *schema.items, entry(path, i));
      return;
    }
    for (const auto& [name, member] : value.members()) {
      const auto* part = schema.find(name);
      if (part == nullptr || !part->has_list_types) continue;
      const bool is_key = !schema.properties.contains(name);
      check(member, *part, is_key ? path + "[" + name + "]" : path + (path.empty() ? "" : ".") + name);
    }
  }

 private:
  static std::string entry(const std::string& path, std::size_t index) {
    return path + "[" + std::to_string(index) + "]";
  }
  void add_duplicate(const std::string& path, std::size_t index, const std::string& shown) {
    errors_.add({FieldReason::kDuplicate, entry(path, index), shown});
  }

  // Each duplicate entry is reported once, however often it occurs.
  void check_set(const Tree& value, const std::string& path) {
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      const auto& item = value.items()[i];
      if (++seen[go_json(item)] == 2) add_duplicate(path, i, printed_value(item));
    }
  }

  void check_map(const Tree& value, const ValueSchema& schema, const std::string& path) {
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      const auto& item = value.items()[i];
      if (item.is_null() || item.is_object()) continue;
      return errors_.invalid(entry(path, i), item, "must be an object for an array of list-type map");
    }
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      auto key = entry_key(value.items()[i], schema);
      if (++seen[key] == 2) add_duplicate(path, i, kube::short_text(key));
    }
  }

  FieldErrors errors_;
};

}  // namespace

void check_list_types(const Tree& object, const ValueSchema& schema, std::vector<FieldError>& errors) {
  ListTypes(errors).check(object, schema, "");
}

}  // namespace keelson::sandbox
