#include "src/sandbox/storage/tree.hpp"

#include <utility>

#include "keelson/detail/base/assert.hpp"

namespace keelson::sandbox {

const Tree* condition_in(const Tree& status, std::string_view type) {
  for (const auto& condition : status.items_at({"conditions"})) {
    if (condition.text_at({"type"}) == type) return &condition;
  }
  return nullptr;
}

const Tree* condition_of(const Tree& object, std::string_view type) {
  const Tree* status = object.find("status");
  return status != nullptr ? condition_in(*status, type) : nullptr;
}

bool has_condition(const Tree& object, std::string_view type) {
  const Tree* condition = condition_of(object, type);
  return condition != nullptr && condition->text_at({"status"}) == "True";
}

void set_missing(Tree& object, const Tree& defaults) {
  for (const auto& [name, value] : defaults.members()) {
    const bool has_parts = !value.members().empty();
    object.set_default(name, has_parts ? Tree::object() : value);
    if (has_parts && std::as_const(object).find(name)->is_object()) set_missing(object[name], value);
  }
}

Tree json_tree(std::string_view json) {
  auto tree = Tree::parse(json);
  KEELSON_ASSERT(tree.has_value());
  return *std::move(tree);
}

Tree text_list(const std::vector<std::string>& texts) { return Tree::array({texts.begin(), texts.end()}); }

std::vector<Tree>& list_in(Tree& object, std::string_view name) {
  auto& list = object[name];
  if (!list.is_array()) list = Tree::array();
  return list.items();
}

void set_or_erase(Tree& object, std::string_view name, Tree value) {
  if (value.is_empty()) {
    object.erase(name);
  } else {
    object[name] = std::move(value);
  }
}

void copy_member(const Tree& from, Tree& to, std::string_view name) {
  if (const Tree* value = from.find(name)) {
    to[name] = *value;
  } else {
    to.erase(name);
  }
}

}  // namespace keelson::sandbox
