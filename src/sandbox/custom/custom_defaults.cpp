#include "src/sandbox/custom/custom_defaults.hpp"

#include <algorithm>

#include "keelson/detail/json/limits.hpp"

namespace keelson::sandbox {

namespace {

bool is_wrong_null(const Tree& value, const ValueSchema* schema) {
  return value.is_null() && schema != nullptr && !schema->is_nullable;
}

// Checks whether any default is missing, so that complete objects are not copied.
bool is_complete(const Tree& value, const ValueSchema& schema) {
  if (value.is_array()) {
    const auto& items = value.items();
    return schema.items == nullptr || std::ranges::all_of(items, [&schema](const Tree& item) {
             return !(is_wrong_null(item, schema.items.get()) && schema.items->default_value) &&
                    is_complete(item, *schema.items);
           });
  }
  if (!value.is_object()) return true;
  if (schema.has_defaults) {
    for (const auto& [name, property] : schema.properties) {
      if (property->default_value && value.find(name) == nullptr) return false;
    }
  }
  return std::ranges::all_of(value.members(), [&schema](const auto& member) {
    const auto* part = schema.find(member.first);
    return part == nullptr || (!is_wrong_null(member.second, part) && is_complete(member.second, *part));
  });
}

// Sets defaults until their total size exceeds the limit.
class Completion {
 public:
  explicit Completion(Nulls nulls) : nulls_(nulls) {}

  void complete(Tree& value, const ValueSchema& schema) {
    if (is_too_large_ || is_complete(value, schema)) return;
    if (value.is_object()) return complete_members(value, schema);
    for (auto& item : value.items()) {
      if (is_wrong_null(item, schema.items.get()) && schema.items->default_value) set_default(item, *schema.items);
      complete(item, *schema.items);
    }
  }

  void set_default(Tree& value, const ValueSchema& schema) {
    if (is_too_large_) return;
    auto bytes = schema.default_value->text().size() + 1;
    is_too_large_ = bytes > left_;
    if (is_too_large_) return;
    left_ -= bytes;
    value = *schema.default_value;
  }
  [[nodiscard]] bool is_too_large() const { return is_too_large_; }

 private:
  void complete_members(Tree& value, const ValueSchema& schema) {
    for (const auto& [name, property] : schema.properties) {
      if (!property->default_value) continue;
      if (is_too_large_) return;
      const Tree* had = std::as_const(value).find(name);
      if (had == nullptr || is_wrong_null(*had, property.get())) set_default(value[name], *property);
    }
    for (auto& [name, member] : value.members()) {
      const auto* part = schema.find(name);
      if (part == nullptr) continue;
      if (is_wrong_null(member, part) && part->default_value) set_default(member, *part);
      complete(member, *part);
    }
    if (nulls_ == Nulls::kKept) return;
    std::erase_if(value.members(),
                  [&schema](const auto& member) { return is_wrong_null(member.second, schema.find(member.first)); });
  }

  Nulls nulls_;
  std::size_t left_ = limits::kObjectBytes;
  bool is_too_large_ = false;
};

}  // namespace

bool apply_custom_defaults(Tree& object, const ValueSchema& schema, Nulls nulls) {
  Completion completion(nulls);
  for (const auto& [name, property] : schema.properties) {
    if (name == "metadata" || name == "apiVersion" || name == "kind") continue;
    const Tree* had = std::as_const(object).find(name);
    const bool is_absent = had == nullptr || is_wrong_null(*had, property.get());
    if (is_absent && property->default_value && name != "status") completion.set_default(object[name], *property);
    had = std::as_const(object).find(name);
    if (had == nullptr) continue;
    if (is_wrong_null(*had, property.get())) {
      if (nulls == Nulls::kDropped) object.erase(name);
    } else if (!is_complete(*had, *property)) {
      completion.complete(object[name], *property);
    }
  }
  return !completion.is_too_large();
}

Tree complete_default(const ValueSchema& schema) {
  auto value = schema.default_value ? *schema.default_value : Tree();
  Completion completion(Nulls::kDropped);
  completion.complete(value, schema);
  return completion.is_too_large() ? Tree() : value;
}

}  // namespace keelson::sandbox
