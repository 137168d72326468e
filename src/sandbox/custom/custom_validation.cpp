#include "src/sandbox/custom/custom_validation.hpp"

#include <algorithm>
#include <limits>

#include "src/sandbox/custom/embedded_resources.hpp"
#include "src/sandbox/custom/list_types.hpp"
#include "src/sandbox/custom/value_check.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/fields/simple_path.hpp"

namespace keelson::sandbox {

namespace {

using Errors = std::vector<FieldError>;

// The value at a path of the scale subresource; null if it is absent. Reports values that block the path.
const Tree* value_on_path(const Tree& object, const std::string& path, Errors& errors, const char* zero) {
  const Tree* at = &object;
  std::string here;
  for (const auto& name : path_of(path)) {
    if (!at->is_object()) {
      errors.push_back({FieldReason::kInvalid, path, zero,
                        here + " accessor error: " + go_print(*at) + " is of the type " + go_kind(*at) +
                            ", expected map[string]interface{}"});
      return nullptr;
    }
    here += "." + name;
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

void check_replicas(const Tree& object, const std::string& path, Errors& errors) {
  const Tree* value = value_on_path(object, path, errors, "0");
  if (value == nullptr) return;
  auto add = [&](const std::string& shown, const std::string& why) {
    errors.push_back({FieldReason::kInvalid, path, shown, why});
  };
  if (value->type() != Tree::Type::kNumber || !is_whole(*value)) {
    auto type = value->type() == Tree::Type::kNumber ? std::string("float64")
                : value->is_object()                 ? "map[string]interface {}"
                : value->is_array()                  ? "[]interface {}"
                : value->is_null()                   ? "<nil>"
                                                     : go_kind(*value);
    return add("0", path + " accessor error: " + go_print(*value) + " is of the type " + type + ", expected int64");
  }
  const auto& shown = value->scalar();
  auto number = object.integer_at({}, 0);
  const auto holder = Tree::object({{"n", *value}});
  number = holder.integer_at({"n"});
  if (number < 0) add(shown, "should be a non-negative integer");
  if (number > std::numeric_limits<std::int32_t>::max()) add(shown, "should be less than or equal to 2147483647");
}

void check_scale(const ServedKind& kind, const Tree& object, Written written, Errors& errors) {
  if (!kind.has_scale) return;
  if (written == Written::kObject) check_replicas(object, kind.scale.spec_replicas, errors);
  check_replicas(object, kind.scale.status_replicas, errors);
  if (kind.scale.selector.empty()) return;
  const Tree* selector = value_on_path(object, kind.scale.selector, errors, "\"\"");
  if (selector == nullptr || selector->is_string()) return;
  errors.push_back({FieldReason::kInvalid, kind.scale.selector, R"("")",
                    kind.scale.selector + " accessor error: " + go_print(*selector) + " is of the type " +
                        go_kind(*selector) + ", expected string"});
}

void check_schema(const ValueSchema& schema, const Tree* before, const Tree& after, Written written, Errors& errors) {
  if (written == Written::kObject) return check_value({schema, after, before, ""}, errors);
  const auto* part = schema.find("status");
  const Tree* status = after.find("status");
  if (part == nullptr || status == nullptr) return;
  check_value({*part, *status, before != nullptr ? before->find("status") : nullptr, "status"}, errors);
}

}  // namespace

void validate_custom(const ServedKind& kind, const Tree* before, const Tree& after, Written written, Errors& errors) {
  if (kind.values == nullptr) return;
  const auto& schema = *kind.values;
  check_schema(schema, before, after, written, errors);
  check_scale(kind, after, written, errors);
  if (schema.has_embedded && written == Written::kObject) check_embedded(after, schema, errors);
  if (schema.has_list_types) {
    Errors had;
    if (before != nullptr) check_list_types(*before, schema, had);
    if (had.empty()) check_list_types(after, schema, errors);
  }
  check_against_rules(schema, before, after, errors);
}

}  // namespace keelson::sandbox
