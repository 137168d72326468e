#include "src/sandbox/fields/managed_fields.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "keelson/base/go_text.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;

void merge_into(Tree& live, const Tree& wish, const std::string& path, const ListRules& rules);

void merge_entries(Tree& live, const Tree& wish, const std::string& path, const MergeRule& rule,
                   const ListRules& rules) {
  auto& entries = live.items();
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < entries.size(); ++i) places.try_emplace(entry_step(entries[i], rule), i);
  for (const auto& entry : wish.items()) {
    auto [place, is_new] = places.try_emplace(entry_step(entry, rule), entries.size());
    if (is_new) {
      entries.push_back(entry);
    } else if (rule.how == How::kByKey) {
      for (const auto& [name, member] : entry.members()) {
        merge_into(entries[place->second][name], member, joined(path, name), rules);
      }
    }
  }
}

void merge_into(Tree& live, const Tree& wish, const std::string& path, const ListRules& rules) {
  const auto& rule = rules.rule(path, wish);
  bool has_parts = wish.is_array() || wish.is_object();
  if (!has_parts || live.type() != wish.type() || rule.how == How::kAtomic) {
    live = wish;
  } else if (wish.is_array()) {
    merge_entries(live, wish, path, rule, rules);
  } else {
    for (const auto& [name, member] : wish.members()) merge_into(live[name], member, joined(path, name), rules);
  }
}

// An entry of a keyed list exists or not: two who want it do not disagree.
bool disagree(const Tree& live, const Tree& wish, const FieldPath& path, const ListRules& rules) {
  if (path.back()[0] != 'f') return false;
  const Tree* is = look_up(live, path, rules);
  const Tree* shall_be = look_up(wish, path, rules);
  return is == nullptr || shall_be == nullptr || !(*is == *shall_be);
}

bool is_owned_by_others(const FieldPath& path, const Managers& managers, const Manager& who) {
  return std::any_of(managers.begin(), managers.end(), [&](const Manager& manager) {
    if (manager.is_same(who)) return false;
    // The set is ordered: what lies under a path follows it.
    auto next = manager.fields.set().lower_bound(path);
    return next != manager.fields.set().end() && (*next == path || is_under(*next, path));
  });
}

// A key field goes with its entry or not at all.
bool is_key_of_entry(const FieldPath& path, const FieldSet& fields) {
  if (path.size() < 2 || path[path.size() - 2][0] != 'k') return false;
  auto keys = Tree::parse(path[path.size() - 2].substr(2));
  FieldPath entry(path.begin(), path.end() - 1);
  return keys->find(path.back().substr(2)) != nullptr && fields.contains(entry);
}

// Copies of a manager share its fields: a new set only where something goes.
void disown(Manager& manager, const FieldSet& fields) {
  const auto& owned = manager.fields.set();
  bool owns_some =
      std::any_of(fields.begin(), fields.end(), [&](const FieldPath& path) { return owned.contains(path); });
  if (!owns_some) return;
  auto kept = owned;
  std::erase_if(kept, [&fields](const FieldPath& path) { return fields.contains(path); });
  manager.fields = std::move(kept);
}

void drop_empty(Managers& managers) {
  std::erase_if(managers, [](const Manager& manager) { return manager.fields.set().empty(); });
}

Manager& entry_of(Managers& managers, const Manager& who) {
  auto found = std::find_if(managers.begin(), managers.end(), [&](const Manager& m) { return m.is_same(who); });
  if (found != managers.end()) return *found;
  managers.push_back(who);
  managers.back().fields = {};
  return managers.back();
}

std::string manager_text(const Manager& manager) {
  auto text = base::quote_go(manager.name);
  if (!manager.subresource.empty()) text += " with subresource " + base::quote_go(manager.subresource);
  if (!manager.applies) text += " using " + manager.api_version + " at " + manager.time;
  return text;
}

}  // namespace

Applied apply(const Tree& live, const Managers& managers, const Tree& wish, Manager who, bool force,
              const ListRules& rules) {
  Applied applied{live, managers, {}};
  auto wanted = fields_of(wish, rules);
  for (std::size_t i = 0; i < managers.size(); ++i) {
    if (managers[i].is_same(who)) continue;
    FieldSet lost;
    for (const auto& path : wanted) {
      if (!managers[i].fields.set().contains(path) || !disagree(live, wish, path, rules)) continue;
      applied.conflicts.push_back({manager_text(managers[i]), path});
      lost.insert(path);
    }
    disown(applied.managers[i], lost);
  }
  if (!force && !applied.conflicts.empty()) return applied;
  applied.conflicts.clear();

  merge_into(applied.object, wish, "", rules);
  auto& entry = entry_of(applied.managers, who);
  auto before = entry.fields;
  if (before.set() != wanted) {
    entry.fields = wanted;
    entry.time = who.time;
  }
  entry.api_version = who.api_version;
  for (const auto& path : before.set()) {
    if (wanted.contains(path) || is_key_of_entry(path, before.set())) continue;
    if (!is_owned_by_others(path, applied.managers, who)) take_away(applied.object, path, rules);
  }
  drop_empty(applied.managers);
  return applied;
}

Managers after_update(const Tree& before, const Tree& after, Managers managers, Manager who, const ListRules& rules) {
  auto changes = changes_between(before, after, rules);
  for (auto& manager : managers) {
    disown(manager, changes.gone);
    if (!manager.is_same(who)) disown(manager, changes.written);
  }
  if (!changes.written.empty()) {
    auto& entry = entry_of(managers, who);
    changes.written.insert(entry.fields.set().begin(), entry.fields.set().end());
    entry.fields = std::move(changes.written);
    entry.time = who.time;
    entry.api_version = who.api_version;
  }
  drop_empty(managers);
  return managers;
}

bool same_owners(const Managers& left, const Managers& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Manager& a, const Manager& b) { return a.is_same(b) && a.fields == b.fields; });
}

Tree managed_fields(Managers managers) {
  // sortEncodedManagedFields: "Apply" before "Update", then the older one.
  std::sort(managers.begin(), managers.end(), [](const Manager& a, const Manager& b) {
    if (a.applies != b.applies) return a.applies;
    return std::tie(a.time, a.name, a.api_version, a.subresource) <
           std::tie(b.time, b.name, b.api_version, b.subresource);
  });
  auto list = Tree::array();
  for (const auto& manager : managers) {
    auto entry = Tree::object({{"manager", manager.name},
                               {"operation", manager.applies ? "Apply" : "Update"},
                               {"apiVersion", manager.api_version},
                               {"time", manager.time},
                               {"fieldsType", "FieldsV1"},
                               {"fieldsV1", manager.fields.v1()}});
    if (!manager.subresource.empty()) entry["subresource"] = manager.subresource;
    list.items().push_back(std::move(entry));
  }
  return list;
}

Managers managers_of(const Tree& managed_fields) {
  Managers managers;
  for (const auto& entry : managed_fields.items()) {
    const Tree* fields = entry.find("fieldsV1");
    if (fields == nullptr) continue;
    managers.push_back({.name = entry.text_at({"manager"}),
                        .applies = entry.text_at({"operation"}) == "Apply",
                        .subresource = entry.text_at({"subresource"}),
                        .api_version = entry.text_at({"apiVersion"}),
                        .time = entry.text_at({"time"}),
                        .fields = fields_from_v1(*fields)});
  }
  return managers;
}

std::pair<std::string, Tree> conflict_text(const std::vector<FieldConflict>& conflicts) {
  auto causes = Tree::array();
  std::map<std::string, std::string> paths;
  for (const auto& conflict : conflicts) {
    causes.items().push_back(Tree::object({{"reason", "FieldManagerConflict"},
                                           {"message", "conflict with " + conflict.with},
                                           {"field", path_text(conflict.path)}}));
    paths["conflicts with " + conflict.with + ":"] += "\n- " + path_text(conflict.path);
  }
  if (conflicts.size() == 1) {
    return {"Apply failed with 1 conflict: conflict with " + conflicts[0].with + ": " + path_text(conflicts[0].path),
            causes};
  }
  std::string text = "Apply failed with " + std::to_string(conflicts.size()) + " conflicts: ";
  bool is_first = true;
  for (const auto& [manager, list] : paths) {
    if (!std::exchange(is_first, false)) text += "\n";
    text += manager + list;
  }
  return {text, causes};
}

}  // namespace keelson::sandbox
