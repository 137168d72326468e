#include "src/sandbox/fields/managed_fields.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/fields/field_changes.hpp"
#include "src/sandbox/fields/field_merge.hpp"

namespace keelson::sandbox {

namespace {

// The limit of the paths of all conflicts in total; more would not help the client.
constexpr std::size_t kMostConflictText = std::size_t{1} << 20;

// Copies of a manager share its fields, so a new set is only created if a field is removed.
void disown(Manager& manager, const FieldSet& fields) {
  if (have_common(manager.fields, fields)) manager.fields = difference_of(manager.fields, fields);
}

void drop_empty(Managers& managers) {
  std::erase_if(managers, [](const Manager& manager) { return manager.fields.set().empty(); });
}

Manager& entry_of(Managers& managers, const Manager& who) {
  auto found = std::ranges::find_if(managers, [&](const Manager& m) { return m.is_same(who); });
  if (found != managers.end()) return *found;
  managers.push_back(who);
  managers.back().fields = {};
  return managers.back();
}

std::string manager_text(const Manager& manager) {
  auto text = base::quote_go(manager.name);
  if (!manager.subresource.empty()) text += " with subresource " + base::quote_go(manager.subresource);
  if (!manager.applies) text += " using " + manager.api_version;
  return text;
}

}  // namespace

Applied apply(const Tree& live, const Managers& managers, const Tree& configuration, Manager who, bool force,
              const ListRules& rules) {
  Applied applied{live, managers, {}};
  auto wanted = fields_of(configuration, rules);
  std::size_t text_size = 0;
  for (std::size_t i = 0; i < managers.size(); ++i) {
    if (managers[i].is_same(who)) continue;
    auto lost = disagreements(wanted, managers[i].fields, live, configuration, rules, [&](const FieldPath& path) {
      if (force) return true;
      applied.conflicts.push_back({manager_text(managers[i]), path});
      for (const auto& step : path) text_size += step.size();
      return text_size < kMostConflictText;
    });
    disown(applied.managers[i], lost);
  }
  if (!applied.conflicts.empty()) return applied;

  merge_into(applied.object, configuration, rules);
  auto& entry = entry_of(applied.managers, who);
  auto before = entry.fields;
  if (before.set() != wanted) {
    entry.fields = wanted;
    entry.time = who.time;
  }
  entry.api_version = who.api_version;
  std::vector<const FieldSet*> others;
  for (const auto& manager : applied.managers) {
    if (!manager.is_same(who)) others.push_back(&manager.fields.set());
  }
  take_away(applied.object, abandoned(before, wanted, others), rules);
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
    entry.fields = union_of(entry.fields, changes.written);
    entry.time = who.time;
    entry.api_version = who.api_version;
  }
  drop_empty(managers);
  return managers;
}

bool same_owners(const Managers& left, const Managers& right) {
  return std::ranges::equal(left, right,
                            [](const Manager& a, const Manager& b) { return a.is_same(b) && a.fields == b.fields; });
}

Tree managed_fields(Managers managers) {
  // As sortEncodedManagedFields: "Apply" before "Update", then the older entry first.
  std::ranges::sort(managers, [](const Manager& a, const Manager& b) {
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
