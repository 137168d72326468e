#include "src/sandbox/fields/managed_fields.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

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
  managers.back().time.clear();
  return managers.back();
}

// Who owned the fields of an object before its first apply, if no manager is known.
constexpr const char* kBeforeFirstApply = "before-first-apply";
constexpr const char* kAncientChanges = "ancient-changes";
constexpr std::size_t kMostUpdaters = 10;

// Merges the oldest managers that update into one for each API version, until few enough are left.
void merge_oldest(Managers& managers) {
  std::vector<std::size_t> updaters;
  for (std::size_t i = 0; i < managers.size(); ++i) {
    if (!managers[i].applies) updaters.push_back(i);
  }
  auto count = updaters.size();
  if (count <= kMostUpdaters) return;
  auto age = [&managers](std::size_t i) {
    const auto& manager = managers[i];
    return std::tie(manager.time, manager.name, manager.api_version, manager.subresource);
  };
  std::ranges::sort(updaters, [&age](std::size_t a, std::size_t b) { return age(a) < age(b); });
  std::map<std::string, std::vector<std::size_t>> buckets;  // by API version; the first gets the fields of the others
  for (const auto i : updaters) {
    if (count <= kMostUpdaters) break;
    auto& bucket = buckets[managers[i].api_version];
    bucket.push_back(i);
    if (bucket.size() > 1) --count;
  }
  for (const auto& [version, bucket] : buckets) {
    if (bucket.size() == 1) continue;
    std::vector<const FieldSet*> sets;
    for (const auto i : bucket) sets.push_back(&managers[i].fields.set());
    auto all = union_of(sets);
    for (const auto i : bucket) managers[i].fields = {};
    auto& to = managers[bucket.front()];
    to.name = kAncientChanges;
    to.subresource.clear();
    to.fields = std::move(all);
    to.time = managers[bucket.back()].time;
  }
  drop_empty(managers);
}

std::string manager_text(const Manager& manager) {
  auto text = base::quote_go(manager.name);
  if (!manager.subresource.empty()) text += " with subresource " + base::quote_go(manager.subresource);
  if (!manager.applies) text += " using " + manager.api_version;
  return text;
}

// In the order in which the API server reports conflicts. An applier is the same in every API version.
auto identity_of(const Manager& manager) {
  static const std::string kEveryVersion;
  return std::tuple(std::string_view(manager.name), !manager.applies,
                    std::string_view(manager.applies ? kEveryVersion : manager.api_version),
                    std::string_view(manager.subresource));
}

std::vector<const Manager*> in_order(const Managers& managers) {
  std::vector<const Manager*> order;
  for (const auto& manager : managers) order.push_back(&manager);
  std::ranges::stable_sort(order, [](const auto* a, const auto* b) { return identity_of(*a) < identity_of(*b); });
  return order;
}

std::vector<FieldConflict> conflicts_with(const Managers& managers, const Manager& who, const FieldSet& written) {
  std::vector<FieldConflict> conflicts;
  std::size_t text_size = 0;
  for (const auto* manager : in_order(managers)) {
    if (manager->is_same(who) || !have_common(manager->fields, written)) continue;
    visit_paths(intersection_of(manager->fields, written), [&](const FieldPath& path) {
      conflicts.push_back({manager_text(*manager), path});
      for (const auto& step : path) text_size += step.size();
      return text_size < kMostConflictText;
    });
  }
  return conflicts;
}

// Of several entries of a manager, the last counts.
Managers without_repeated(Managers managers) {
  Managers once;
  for (const auto* manager : in_order(managers)) {
    if (!once.empty() && once.back().is_same(*manager)) once.pop_back();
    once.push_back(*manager);
  }
  return once;
}

// Absent: the entry is invalid.
std::optional<Manager> manager_in(const Tree& entry) {
  const auto operation = entry.text_at({"operation"});
  const bool is_valid = (operation == "Apply" || operation == "Update") && !entry.text_at({"apiVersion"}).empty() &&
                        entry.text_at({"fieldsType"}) == "FieldsV1";
  if (!is_valid) return std::nullopt;
  const Tree* fields = entry.find("fieldsV1");
  return Manager{.name = entry.text_at({"manager"}),
                 .applies = operation == "Apply",
                 .subresource = entry.text_at({"subresource"}),
                 .api_version = entry.text_at({"apiVersion"}),
                 .time = entry.text_at({"time"}),
                 .fields = fields != nullptr ? OwnedFields(fields_from_v1(*fields)) : OwnedFields()};
}

}  // namespace

Applied apply(const Tree& live, Managers managers, const Tree& configuration, const Manager& who, bool force,
              const MergeType& type) {
  if (managers.empty()) {
    auto first = who;
    first.name = kBeforeFirstApply;
    first.applies = false;
    managers = after_update(Tree::object(), live, {}, first, type);
  }
  Applied applied{merged(live, configuration, type), std::move(managers), {}};
  const OwnedFields wanted = without_server_fields(fields_of(configuration, type));
  auto& entry = entry_of(applied.managers, who);
  const auto last = std::exchange(entry.fields, wanted);
  entry.api_version = who.api_version;
  if (!contains_all(wanted, last)) {
    std::vector<const FieldSet*> owned;
    for (const auto& manager : applied.managers) owned.push_back(&manager.fields.set());
    applied.object = without_abandoned(std::move(applied.object), last, owned, type);
  }
  // The real server does not record the time of an apply that changes nothing.
  if (live != applied.object) entry.time = who.time;
  const auto changes = changes_between(live, applied.object, type);
  if (!force) applied.conflicts = conflicts_with(applied.managers, who, changes.written);
  if (!applied.conflicts.empty()) return applied;
  for (auto& manager : applied.managers) {
    if (manager.is_same(who)) continue;
    disown(manager, changes.written);
    disown(manager, changes.gone);
  }
  drop_empty(applied.managers);
  return applied;
}

Managers after_update(const Tree& before, const Tree& after, Managers managers, const Manager& who,
                      const MergeType& type) {
  const auto changes = changes_between(before, after, type);
  const auto written = without_server_fields(changes.written);
  for (auto& manager : managers) {
    disown(manager, changes.gone);
    if (!manager.is_same(who)) disown(manager, changes.written);
  }
  if (!written.empty()) {
    auto& entry = entry_of(managers, who);
    entry.fields = union_of(entry.fields, written);
    entry.time = who.time;
    entry.api_version = who.api_version;
  }
  drop_empty(managers);
  merge_oldest(managers);
  return managers;
}

bool same_owners(const Managers& left, const Managers& right) {
  if (left.size() != right.size()) return false;
  const auto ones = in_order(left);
  const auto others = in_order(right);
  return std::ranges::equal(ones, others, [](const Manager* a, const Manager* b) {
    return a->is_same(*b) && a->api_version == b->api_version && a->fields == b->fields;
  });
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
                               {"apiVersion", manager.api_version}});
    if (!manager.time.empty()) entry["time"] = manager.time;
    entry["fieldsType"] = "FieldsV1";
    entry["fieldsV1"] = manager.fields.v1();
    if (!manager.subresource.empty()) entry["subresource"] = manager.subresource;
    list.items().push_back(std::move(entry));
  }
  return list;
}

Managers managers_of(const Tree& managed_fields) {
  Managers managers;
  for (const auto& entry : managed_fields.items()) {
    if (auto manager = manager_in(entry)) managers.push_back(std::move(*manager));
  }
  return managers;
}

Managers managers_before(const Tree* managed_fields, const Managers& stored, bool is_custom) {
  if (managed_fields == nullptr || !managed_fields->is_array()) return stored;
  const auto& entries = managed_fields->items();
  if (entries.empty()) return is_custom ? stored : Managers();
  if (entries.size() == 1 && entries[0].is_empty()) return {};
  Managers managers;
  for (const auto& entry : entries) {
    auto manager = manager_in(entry);
    if (!manager) return stored;
    managers.push_back(std::move(*manager));
  }
  return without_repeated(std::move(managers));
}

std::pair<std::string, Tree> conflict_text(const std::vector<FieldConflict>& conflicts) {
  auto causes = Tree::array();
  std::string paths;
  const std::string* with = nullptr;
  for (const auto& conflict : conflicts) {
    causes.items().push_back(Tree::object({{"reason", "FieldManagerConflict"},
                                           {"message", "conflict with " + conflict.with},
                                           {"field", path_text(conflict.path)}}));
    if (with == nullptr || *with != conflict.with) {
      if (with != nullptr) paths += "\n";
      paths += "conflicts with " + conflict.with + ":";
    }
    with = &conflict.with;
    paths += "\n- " + path_text(conflict.path);
  }
  if (conflicts.size() == 1) {
    return {"Apply failed with 1 conflict: conflict with " + conflicts[0].with + ": " + path_text(conflicts[0].path),
            causes};
  }
  const auto text = "Apply failed with " + std::to_string(conflicts.size()) + " conflicts: " + paths;
  return {text, causes};
}

}  // namespace keelson::sandbox
