#include "src/sandbox/fields/strategic_patch.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/fields/patch_strategy.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kDeleteFrom = "$deleteFromPrimitiveList/";
constexpr std::string_view kSetOrder = "$setElementOrder/";

using Items = std::vector<Tree>;

// The path of a member of the value at `path`, for patch_strategy().
std::string joined(const std::string& path, const std::string& name) {
  // No field has such a long path, and copying it for each of many members would take minutes.
  constexpr std::size_t kMostPath = 4096;
  if (path.size() + name.size() > kMostPath) return "\n";
  return path.empty() ? name : path + "." + name;
}

Error contradictory(std::string text) { return {Error::Kind::kInvalid, std::move(text)}; }

// The entries of a list by their merge key or, in lists of scalars, by their value.
class Entries {
 public:
  Entries(const Items& list, std::string key) : key_(std::move(key)) {
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], i);
  }

  void add(const Tree& entry, std::size_t place) {
    if (const Tree* value = value_of(entry)) places_[value->text()].push_back(place);
  }
  // The place of the first entry with this one's key.
  [[nodiscard]] std::optional<std::size_t> find(const Tree& entry) const {
    const Tree* value = value_of(entry);
    const auto found = value == nullptr ? places_.end() : places_.find(value->text());
    return found == places_.end() ? std::nullopt : std::optional(found->second.front());
  }
  [[nodiscard]] bool contains(const Tree& entry) const { return find(entry).has_value(); }
  // The places of all entries with this one's key, which are no longer found.
  std::vector<std::size_t> take(const Tree& entry) {
    const Tree* value = value_of(entry);
    auto taken = value == nullptr ? decltype(places_)::node_type() : places_.extract(value->text());
    return taken.empty() ? std::vector<std::size_t>() : std::move(taken.mapped());
  }

 private:
  [[nodiscard]] const Tree* value_of(const Tree& entry) const { return key_.empty() ? &entry : entry.find(key_); }

  std::string key_;
  base::TextMap<std::string, std::vector<std::size_t>> places_;
};

const Items& items_of(const Tree* list) {
  static const Items kNone;
  return list != nullptr ? list->items() : kNone;
}

void retain_keys(Tree& live, const Tree& patch) {
  const Tree* keys = patch.find(kRetainKeys);
  if (keys == nullptr) return;
  const Entries kept(keys->items(), "");
  std::erase_if(live.members(), [&kept](const auto& member) { return !kept.contains(Tree(member.first)); });
}

void delete_from_list(Tree& live, std::string_view name, const Tree& values) {
  Tree* list = live.find(name);
  if (list == nullptr) return;
  const Entries deleted(values.items(), "");
  std::erase_if(list->items(), [&deleted](const Tree& item) { return deleted.contains(item); });
}

// Entries of `order` come first to last, those with the same key in their order; other entries stay before the entry
// that they preceded in `live`.
Items ordered(const Items& merged, const Items& order, const Items& live, const std::string& key) {
  const Entries in_order(order, key);
  const Entries in_live(live, key);
  std::vector<std::pair<std::size_t, const Tree*>> ranked;
  for (const auto& entry : merged) {
    if (const auto place = in_order.find(entry)) ranked.emplace_back(*place, &entry);
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, const Tree*>::first);
  Items named;
  for (const auto& [place, entry] : ranked) named.push_back(*entry);
  auto stood_before = [&](const Tree& entry, const Tree& other) {
    const auto place = in_live.find(entry);
    const auto others = in_live.find(other);
    return place && others && *place < *others;
  };
  Items result;
  auto next = named.begin();
  for (const auto& entry : merged) {
    if (in_order.contains(entry)) continue;
    while (next != named.end() && !stood_before(entry, *next)) result.push_back(*next++);
    result.push_back(entry);
  }
  result.insert(result.end(), next, named.end());
  return result;
}

Items without(Items list, const std::unordered_set<std::size_t>& places) {
  if (places.empty()) return list;
  Items rest;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!places.contains(i)) rest.push_back(std::move(list[i]));
  }
  return rest;
}

bool has_directives(const Items& list) {
  return std::ranges::any_of(list, [](const Tree& one) { return one.find(kDirective) != nullptr; });
}

// In Go, whole numbers and other numbers have different types.
bool has_one_type(const Items& live, const Items& patch) {
  const auto type_of = [](const Tree& one) {
    const bool is_floating =
        one.type() == Tree::Type::kNumber && one.scalar().find_first_of(".eE") != std::string::npos;
    return std::pair(one.type(), is_floating);
  };
  const auto* first = !live.empty() ? &live.front() : !patch.empty() ? &patch.front() : nullptr;
  const auto is_alike = [&](const Tree& one) { return type_of(one) == type_of(*first); };
  return std::ranges::all_of(live, is_alike) && std::ranges::all_of(patch, is_alike);
}

// Merges a patch by the rules of the kind.
class Merge {
 public:
  explicit Merge(const ServedKind& kind) : kind_(kind) {}

  Result<Tree> object(Tree live, const Tree& patch, const std::string& path) const {
    auto directive = patch.text_at({kDirective});
    if (directive == "delete") return Tree::object();
    if (directive == "replace") {
      auto replacement = patch;
      replacement.erase(kDirective);
      return replacement;
    }
    if (!directive.empty() && directive != "merge") {
      return contradictory("unknown patch type: " + directive + " in map: " + go_print(patch));
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

 private:
  Result<Tree> member(const Tree* live, const Tree& patch, const std::string& path) const {
    auto strategy = patch_strategy(kind_, path);
    if (patch.is_object()) {
      const bool has_live = live != nullptr && live->is_object();
      if (has_live && strategy.replaces_object) return patch;
      return object(has_live ? *live : Tree::object(), patch, path);
    }
    if (!patch.is_array() || !strategy.merges_list) return patch;
    const bool is_new = live == nullptr || !live->is_array();
    if (is_new && !has_directives(patch.items())) return new_list(patch.items(), path);
    if (!is_new && !has_one_type(live->items(), patch.items())) {
      return contradictory("list element types are not identical: [" + go_print(*live) + " " + go_print(patch) + "]");
    }
    KEELSON_LET(auto merged, list(items_of(live), patch.items(), strategy.merge_key, path));
    return Tree::array(std::move(merged));
  }

  // A list that the object does not have yet is taken as it is, also without merge keys.
  Result<Tree> new_list(const Items& patch, const std::string& path) const {
    Items entries;
    for (const auto& one : patch) {
      KEELSON_LET(auto entry, one.is_object() ? object(Tree::object(), one, path) : Result<Tree>(one));
      entries.push_back(std::move(entry));
    }
    return Tree::array(std::move(entries));
  }

  Result<Items> list(const Items& live, const Items& patch, const std::string& key, const std::string& path) const {
    bool is_replaced =
        std::ranges::any_of(patch, [](const Tree& one) { return one.text_at({kDirective}) == "replace"; });
    auto merged = is_replaced ? Items() : live;
    Entries entries(merged, key);
    std::unordered_set<std::size_t> deleted;
    for (const auto& one : patch) {
      const auto directive = one.text_at({kDirective});
      if (directive == "replace") continue;
      if (!key.empty() && one.find(key) == nullptr) {
        return contradictory("map: " + go_print(one) + " does not contain declared merge key: " + key);
      }
      if (directive == "delete") {
        for (const auto place : entries.take(one)) deleted.insert(place);
        continue;
      }
      const auto place = entries.find(one);
      if (key.empty() && place) continue;
      auto next = key.empty() ? Result<Tree>(one) : object(place ? merged[*place] : Tree::object(), one, path);
      if (!next) return std::move(next).error();
      if (place) {
        merged[*place] = std::move(*next);
      } else {
        entries.add(one, merged.size());
        merged.push_back(std::move(*next));
      }
    }
    // The entries of the patch keep its order, as if $setElementOrder listed them.
    return ordered(without(std::move(merged), deleted), patch, live, key);
  }

  // Runs after the merge, when all entries exist.
  void set_orders(const Tree& before, const Tree& patch, Tree& merged, const std::string& path) const {
    for (const auto& [name, order] : patch.members()) {
      if (!name.starts_with(kSetOrder)) continue;
      auto field = name.substr(kSetOrder.size());
      Tree* list = merged.find(field);
      if (list == nullptr) continue;
      auto key = patch_strategy(kind_, joined(path, field)).merge_key;
      *list = Tree::array(ordered(list->items(), order.items(), items_of(before.find(field)), key));
    }
  }

  const ServedKind& kind_;
};

}  // namespace

Result<Tree> strategic_merge_patch(const Tree& live, const Tree& patch, const ServedKind& kind) {
  return Merge(kind).object(live, patch, "");
}

}  // namespace keelson::sandbox
