#include "src/sandbox/fields/strategic_patch.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "src/sandbox/fields/list_rules.hpp"
#include "src/sandbox/fields/patch_strategy.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kDeleteFrom = "$deleteFromPrimitiveList/";
constexpr std::string_view kSetOrder = "$setElementOrder/";

using Items = std::vector<Tree>;

Error contradictory(std::string text) { return {Error::Kind::kInvalid, std::move(text)}; }

// The list entry with the same merge key or, in lists of scalars, with the same value.
Items::const_iterator same_entry(const Items& list, const Tree& entry, const std::string& key) {
  const Tree* value = key.empty() ? &entry : entry.find(key);
  return std::find_if(list.begin(), list.end(), [&](const Tree& other) {
    const Tree* others = key.empty() ? &other : other.find(key);
    return value != nullptr && others != nullptr && *others == *value;
  });
}

bool contains(const Items& list, const Tree& entry, const std::string& key) {
  return same_entry(list, entry, key) != list.end();
}

const Items& items_of(const Tree* list) {
  static const Items kNone;
  return list != nullptr ? list->items() : kNone;
}

// Merges a patch by the rules of the kind.
class Merge {
 public:
  explicit Merge(const ServedKind& kind) : kind_(kind) {}

  Result<Tree> object(Tree live, const Tree& patch, const std::string& path) const;

 private:
  Result<Tree> member(const Tree* live, const Tree& patch, const std::string& path) const;
  Result<Items> list(const Items& live, const Items& patch, const std::string& key, const std::string& path) const;
  Result<void> entry(Items& merged, const Tree& patch, const std::string& key, const std::string& path) const;

  void set_orders(const Tree& before, const Tree& patch, Tree& merged, const std::string& path) const;

  const ServedKind& kind_;
};

void retain_keys(Tree& live, const Tree& patch) {
  const Tree* keys = patch.find(kRetainKeys);
  if (keys == nullptr) return;
  std::erase_if(live.members(), [keys](const auto& member) { return !contains(keys->items(), member.first, ""); });
}

void delete_from_list(Tree& live, std::string_view name, const Tree& values) {
  Tree* list = live.find(name);
  if (list == nullptr) return;
  std::erase_if(list->items(), [&values](const Tree& item) { return contains(values.items(), item, ""); });
}

// Entries of `order` come first to last; other entries stay before the entry that they preceded in `live`.
Items ordered(const Items& merged, const Items& order, const Items& live, const std::string& key) {
  Items named;
  for (const auto& wanted : order) {
    auto found = same_entry(merged, wanted, key);
    if (found != merged.end()) named.push_back(*found);
  }
  auto rank = [&](const Tree& entry) { return same_entry(live, entry, key) - live.begin(); };
  auto stood_before = [&](const Tree& entry, const Tree& other) {
    return contains(live, entry, key) && contains(live, other, key) && rank(entry) < rank(other);
  };
  Items result;
  auto next = named.begin();
  for (const auto& entry : merged) {
    if (contains(order, entry, key)) continue;
    while (next != named.end() && !stood_before(entry, *next)) result.push_back(*next++);
    result.push_back(entry);
  }
  result.insert(result.end(), next, named.end());
  return result;
}

Result<Tree> Merge::object(Tree live, const Tree& patch, const std::string& path) const {
  auto directive = patch.text_at({kDirective});
  if (directive == "delete") return Tree::object();
  if (directive == "replace") {
    auto replacement = patch;
    replacement.erase(kDirective);
    return replacement;
  }
  if (!directive.empty() && directive != "merge") {
    return contradictory("unknown patch type: " + directive + " in map: " + patch.text());
  }
  if (!live.is_object()) live = Tree::object();
  const auto before = live;
  retain_keys(live, patch);
  for (const auto& [name, value] : patch.members()) {
    if (name == kDirective || name == kRetainKeys || name.starts_with(kSetOrder)) continue;
    if (name.starts_with(kDeleteFrom)) {
      delete_from_list(live, name.substr(kDeleteFrom.size()), value);
    } else if (value.is_null()) {
      live.erase(name);
    } else {
      auto merged = member(std::as_const(live).find(name), value, joined(path, name));
      if (!merged) return merged;
      live[name] = std::move(*merged);
    }
  }
  set_orders(before, patch, live, path);
  return live;
}

Result<Tree> Merge::member(const Tree* live, const Tree& patch, const std::string& path) const {
  auto strategy = patch_strategy(kind_, path);
  if (patch.is_object()) {
    bool is_replaced = live == nullptr || !live->is_object() || strategy.replaces_object;
    return object(is_replaced ? Tree::object() : *live, patch, path);
  }
  if (!patch.is_array() || !strategy.merges_list) return patch;
  KEELSON_LET(auto merged, list(items_of(live), patch.items(), strategy.merge_key, path));
  return Tree::array(std::move(merged));
}

Result<Items> Merge::list(const Items& live, const Items& patch, const std::string& key,
                          const std::string& path) const {
  bool is_replaced =
      std::any_of(patch.begin(), patch.end(), [](const Tree& one) { return one.text_at({kDirective}) == "replace"; });
  auto merged = is_replaced ? Items() : live;
  for (const auto& one : patch) {
    if (one.text_at({kDirective}) == "replace") continue;
    KEELSON_TRY(entry(merged, one, key, path));
  }
  // The entries of the patch keep its order, as if $setElementOrder listed them.
  return ordered(merged, patch, live, key);
}

Result<void> Merge::entry(Items& merged, const Tree& patch, const std::string& key, const std::string& path) const {
  if (!key.empty() && patch.find(key) == nullptr) {
    return contradictory("map: " + patch.text() + " does not contain declared merge key: " + key);
  }
  auto found = same_entry(merged, patch, key);
  if (patch.text_at({kDirective}) == "delete") {
    if (found != merged.end()) merged.erase(found);
    return {};
  }
  if (key.empty()) {
    if (found == merged.end()) merged.push_back(patch);
    return {};
  }
  KEELSON_LET(auto next, object(found != merged.end() ? *found : Tree::object(), patch, path));
  if (found == merged.end()) {
    merged.push_back(std::move(next));
  } else {
    merged[static_cast<std::size_t>(found - merged.begin())] = std::move(next);
  }
  return {};
}

// Runs after the merge, when all entries exist.
void Merge::set_orders(const Tree& before, const Tree& patch, Tree& merged, const std::string& path) const {
  for (const auto& [name, order] : patch.members()) {
    if (!name.starts_with(kSetOrder)) continue;
    auto field = name.substr(kSetOrder.size());
    Tree* list = merged.find(field);
    if (list == nullptr) continue;
    auto key = patch_strategy(kind_, joined(path, field)).merge_key;
    *list = Tree::array(ordered(list->items(), order.items(), items_of(before.find(field)), key));
  }
}

}  // namespace

Result<Tree> strategic_merge_patch(const Tree& live, const Tree& patch, const ServedKind& kind) {
  return Merge(kind).object(live, patch, "");
}

}  // namespace keelson::sandbox
