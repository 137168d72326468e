#include "src/sandbox/fields/patched_object.hpp"

#include <map>
#include <vector>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/json/patch.hpp"
#include "src/sandbox/fields/go_structs.hpp"

namespace keelson::sandbox {

namespace {

void sort_by_name(Tree& object) {
  object.members().sort([](const auto& a, const auto& b) { return a.first < b.first; });
}

using ValuesByName = std::map<std::string_view, const Tree*>;

ValuesByName names_in(const Tree* object) {
  ValuesByName names;
  if (object == nullptr) return names;
  for (const auto& [name, value] : object->members()) names.emplace(name, &value);
  return names;
}

const Tree* value_in(const ValuesByName& names, std::string_view name) {
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

// The server's merge drops the nulls of objects in lists, too.
void drop_nulls(Tree& value) {
  if (value.is_object()) {
    std::erase_if(value.members(), [](const auto& member) { return member.second.is_null(); });
    for (auto& [name, member] : value.members()) drop_nulls(member);
  } else if (value.is_array()) {
    for (auto& item : value.items()) drop_nulls(item);
  }
}

// `before` is the former object in this place; null: there was none.
void sort_merged(Tree& object, const Tree* before, const Tree& patch) {
  sort_by_name(object);
  const auto changes = names_in(&patch);
  const auto former = names_in(before);
  for (auto& [name, member] : object.members()) {
    const Tree* change = value_in(changes, name);
    const Tree* had = value_in(former, name);
    const Tree* had_object = had != nullptr && had->is_object() ? had : nullptr;
    if (change == nullptr) continue;
    if (change->is_object() && member.is_object()) {
      sort_merged(member, had_object, *change);
    } else if (change->is_array() && had_object == nullptr) {
      sort_all_members(member);
      drop_nulls(member);
    }
  }
}

// The steps of a JSON pointer.
std::vector<std::string> pointer_steps(std::string_view pointer) {
  std::vector<std::string> steps;
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    auto part = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(part.size());
    std::string step;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool is_escape = part[i] == '~' && i + 1 < part.size() && (part[i + 1] == '0' || part[i + 1] == '1');
      step += is_escape ? (part[++i] == '0' ? '~' : '/') : part[i];
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

Tree* step_into(Tree& value, const std::string& step) {
  if (value.is_object()) return value.find(step);
  const auto index = base::parse_number<std::size_t>(step);
  const bool exists = value.is_array() && index && *index < value.items().size();
  return exists ? &value.items()[*index] : nullptr;
}

// Sorts the objects that the operation passed on its way.
void sort_passed(Tree& object, std::string_view pointer, bool is_test) {
  Tree* at = &object;
  for (const auto& step : pointer_steps(pointer)) {
    if (at->is_object()) sort_by_name(*at);
    at = step_into(*at, step);
    if (at == nullptr) return;
  }
  if (is_test) sort_all_members(*at);
}

Tree ordered_live(Tree live, std::string_view definition) {
  if (definition.empty()) {
    sort_all_members(live);
  } else {
    order_as_go(live, definition);
  }
  return live;
}

}  // namespace

Tree merge_patched_as_go(Tree live, std::string_view patch, std::string_view definition) {
  live = ordered_live(std::move(live), definition);
  const auto text = json::merge_patch(live.text(), patch);
  const auto changes = Tree::parse(patch);
  auto object = text ? Tree::parse(*text) : text.error();
  if (!object || !changes || !object->is_object()) return live;
  sort_merged(*object, &live, *changes);
  return std::move(*object);
}

Tree json_patched_as_go(Tree live, std::string_view operations, std::string_view definition) {
  live = ordered_live(std::move(live), definition);
  const auto text = json::json_patch(live.text(), operations);
  const auto changes = Tree::parse(operations);
  auto object = text ? Tree::parse(*text) : text.error();
  if (!object || !changes || !object->is_object()) return live;
  sort_by_name(*object);
  // Each operation searches the object again, which would take seconds for many of them.
  constexpr std::size_t kMostOperations = 100;
  std::size_t count = 0;
  for (const auto& operation : changes->items()) {
    if (++count > kMostOperations) break;
    const bool is_test = operation.text_at({"op"}) == "test";
    if (!is_test) sort_passed(*object, operation.text_at({"from"}), false);
    sort_passed(*object, operation.text_at({"path"}), is_test);
  }
  return std::move(*object);
}

}  // namespace keelson::sandbox
