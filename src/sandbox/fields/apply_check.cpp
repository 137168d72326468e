#include "src/sandbox/fields/apply_check.hpp"

#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/fields/field_path.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;
using Scalar = MergeType::Scalar;
using Shape = MergeType::Shape;

constexpr std::size_t kMostErrors = 100;  // more would not help the client

// The Go type (%T) of a decoded JSON value.
std::string type_name(const Tree& value) {
  if (value.is_object()) return "map[string]interface {}";
  return value.is_array() ? "[]interface {}" : go_kind(value);
}

// The output of fmt with %#v.
std::string go_syntax(const Tree& value) {
  if (value.is_string()) return base::quote_go(value.scalar());
  if (value.is_null()) return "interface {}(nil)";
  std::string parts;
  for (const auto& item : value.items()) parts += (parts.empty() ? "" : ", ") + go_syntax(item);
  if (value.is_array()) return "[]interface {}{" + parts + "}";
  if (!value.is_object()) return value.scalar();
  for (const auto* member : sorted_members(value)) {
    parts += (parts.empty() ? "" : ", ") + base::quote_go(member->first) + ":" + go_syntax(member->second);
  }
  return "map[string]interface {}{" + parts + "}";
}

std::string printed(const Tree& value) { return "got &{" + go_print(value) + "}"; }

// Why an entry of a list has no step.
std::string step_error(const Tree& entry, const MergeRule& rule) {
  if (rule.how == How::kSet) {
    if (entry.is_object()) return "associative list without keys has an element that's a map type";
    if (entry.is_array()) return "not supported: associative list with lists as elements";
    return "associative list without keys has an element that's an explicit null";
  }
  if (entry.is_null()) return "associative list with keys may not have a null element";
  if (!entry.is_object()) return "associative list with keys may not have non-map elements";
  std::string keys;
  for (const auto& key : rule.keys) keys += (keys.empty() ? "" : " ") + base::quote_go(key.field);
  return "associative list with keys has an element that omits all key fields [" + keys +
         "] (and doesn't have default values for any key fields)";
}

class ApplyCheck {
 public:
  void check(const Tree& value, const MergeType& type) {
    switch (type.shape(value)) {
      case Shape::kMap:
        return check_members(value, type);
      case Shape::kList:
        return check_items(value, type);
      default:
        return check_scalar(value, type);
    }
  }

  [[nodiscard]] std::optional<std::string> text() const {
    if (errors_.empty()) return std::nullopt;
    if (errors_.size() == 1) return errors_[0];
    std::string text = "errors:";
    for (const auto& error : errors_) text += "\n  " + error;
    return text;
  }

 private:
  void check_members(const Tree& value, const MergeType& type) {
    for (const auto* entry : sorted_members(value)) {
      const auto& [name, member] = *entry;
      const auto length = place_.size();
      place_ += "." + name;
      if (type.find(name) == nullptr && !type.values.is_declared()) {
        fail("field not declared in schema");
      } else {
        check(member, type.member(name));
      }
      place_.resize(length);
    }
  }

  void check_items(const Tree& value, const MergeType& type) {
    base::TextSet<std::string> seen;
    std::size_t index = 0;
    for (const auto& item : value.items()) {
      const auto at = std::to_string(index++);
      auto name = "[" + at + "]";
      if (type.list.how != How::kAtomic) {
        const auto step = entry_step(item, type.list);
        if (!step) return fail("element " + at + ": " + step_error(item, type.list));
        name = path_text({*step});
        if (!seen.insert(name).second) fail("duplicate entries for key " + name);
      }
      const auto length = place_.size();
      place_ += name;
      check(item, type.items.type());
      place_.resize(length);
    }
  }

  void check_scalar(const Tree& value, const MergeType& type) {
    const bool is_container = value.is_object() || value.is_array();
    if (value.is_null()) return;
    switch (type.scalar) {
      case Scalar::kNone:
        return fail((type.takes_map ? "expected map, " : "expected list, ") + printed(value));
      case Scalar::kText:
        if (value.is_string()) return;
        return fail("expected string, got &value.valueUnstructured{Value:" + go_syntax(value) + "}");
      case Scalar::kNumber:
        if (value.type() == Tree::Type::kNumber) return;
        return fail("expected numeric (int or float), got " + type_name(value));
      case Scalar::kBool:
        if (value.type() == Tree::Type::kBool) return;
        return fail("expected boolean, " + printed(value));
      default:
        if (is_container) fail("expected any scalar, " + printed(value));
    }
  }

  void fail(const std::string& what) {
    if (errors_.size() < kMostErrors) errors_.push_back(place_ + ": " + what);
  }

  std::string place_;  // ".spec.containers[name=\"web\"]"
  std::vector<std::string> errors_;
};

}  // namespace

std::optional<std::string> apply_error(const Tree& applied, const MergeType& type) {
  ApplyCheck check;
  check.check(applied, type);
  return check.text();
}

}  // namespace keelson::sandbox
