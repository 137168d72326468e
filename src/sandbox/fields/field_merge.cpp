#include "src/sandbox/fields/field_merge.hpp"

#include <algorithm>
#include <utility>

#include "src/sandbox/fields/field_changes.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;
using Shape = MergeType::Shape;

Tree merged_value(const Tree* live, const Tree& applied, const MergeType& type);

// The entries of a live or an applied list, with their steps. Entries without a step are left out.
struct MergeList {
  MergeList(const Tree* list, const MergeRule& rule) {
    if (list == nullptr) return;
    for (const auto& entry : list->items()) {
      auto step = entry_step(entry, rule);
      if (!step) continue;
      auto [place, is_new] = places.try_emplace(*step, entries.size());
      if (!is_new) repeated.insert(*step);
      entries.push_back(&entry);
      steps.push_back(std::move(*step));
    }
  }
  [[nodiscard]] std::size_t size() const { return entries.size(); }
  [[nodiscard]] bool contains(const std::string& step) const { return places.contains(step); }

  std::vector<const Tree*> entries;
  std::vector<std::string> steps;
  base::TextMap<std::string, std::size_t> places;  // of the first entry of a step
  base::TextSet<std::string> repeated;
};

// Merges two lists entry by entry: walks both from the beginning, and takes the next entry of either.
class ListMerge {
 public:
  ListMerge(const Tree* live, const Tree& applied, const MergeType& type)
      : live_(live, type.list), applied_(&applied, type.list), type_(type) {
    for (const auto& step : applied_.steps) {
      if (live_.contains(step)) shared_.push_back(&step);
    }
  }

  [[nodiscard]] std::vector<Tree> run() {
    while (at_live_ < live_.size() || at_applied_ < applied_.size()) {
      if (!take_live()) take_applied();
    }
    return std::move(out_);
  }

 private:
  // Takes or skips an entry of the live list; false if the next entry is one of the applied list.
  bool take_live() {
    if (at_live_ == live_.size()) return false;
    const auto& step = live_.steps[at_live_];
    const auto applied = applied_.places.find(step);
    if (applied == applied_.places.end()) {
      out_.push_back(*live_.entries[at_live_++]);
      return true;
    }
    if (at_applied_ == applied_.size()) return skip_live();
    if (applied->second == at_applied_) return !skip_live();
    const bool has_shared = next_shared_ < shared_.size();
    if (has_shared && *shared_[next_shared_] != step) return skip_live();
    if (applied->second < at_applied_) skip_live();
    return false;
  }

  bool skip_live() {
    ++at_live_;
    return true;
  }

  void take_applied() {
    if (at_applied_ == applied_.size()) return;
    const auto& step = applied_.steps[at_applied_];
    const auto place = live_.places.find(step);
    // Entries that occur several times are replaced, not merged.
    const bool is_merged = place != live_.places.end() && !live_.repeated.contains(step);
    const Tree* live = is_merged ? live_.entries[place->second] : nullptr;
    out_.push_back(merged_value(live, *applied_.entries[at_applied_++], type_.items.type()));
    if (next_shared_ < shared_.size() && *shared_[next_shared_] == step) ++next_shared_;
  }

  MergeList live_;
  MergeList applied_;
  const MergeType& type_;
  std::vector<const std::string*> shared_;  // the steps of entries in both lists, in the order of the applied one
  std::size_t next_shared_ = 0;
  std::size_t at_live_ = 0;
  std::size_t at_applied_ = 0;
  std::vector<Tree> out_;
};

// Null: absent.
const Tree* if_object(const Tree* value) { return value != nullptr && value->is_object() ? value : nullptr; }
const Tree* if_array(const Tree* value) { return value != nullptr && value->is_array() ? value : nullptr; }
bool lacks_content(const Tree* value) { return value == nullptr || value->is_empty(); }

Tree merged_value(const Tree* live, const Tree& applied, const MergeType& type) {
  if (live == nullptr) live = &applied;
  const auto shape = type.shape(applied);
  if (shape == Shape::kMap && type.map.how != How::kAtomic) {
    const Tree* had = if_object(live);
    if (lacks_content(had) && lacks_content(if_object(&applied))) return applied;
    auto made = had != nullptr ? *had : Tree::object();
    for (const auto& [name, value] : applied.members()) {
      made[name] = merged_value(std::as_const(made).find(name), value, type.member(name));
    }
    return made;
  }
  if (shape == Shape::kList && type.list.how != How::kAtomic) {
    const Tree* had = if_array(live);
    if (lacks_content(had) && lacks_content(if_array(&applied))) return applied;
    return Tree::array(ListMerge(had, applied, type).run());
  }
  return applied;
}

// The value without the fields below; null if nothing is left, as in the API server, whose validation rejects it then.
Tree pruned_value(const Tree& value, const FieldNode& fields, const MergeType& type);

Tree pruned_map(const Tree& value, const FieldNode& fields, const MergeType& type) {
  auto left = value;
  for (const auto& field : fields.below) {
    if (field.step[0] != 'f') continue;
    const auto name = std::string_view(field.step).substr(2);
    const Tree* part = value.find(name);
    if (part == nullptr) continue;
    if (field.is_member) {
      left.erase(name);
    } else {
      left[name] = pruned_value(*part, field, type.member(name));
    }
  }
  return left.is_empty() ? Tree() : left;
}

Tree pruned_list(const Tree& value, const FieldNode& fields, const MergeType& type) {
  auto left = Tree::array();
  for (const auto& entry : value.items()) {
    const auto step = entry_step(entry, type.list);
    const auto* field = step ? fields.find(*step) : nullptr;
    if (field != nullptr && field->is_member) continue;
    left.items().push_back(field != nullptr ? pruned_value(entry, *field, type.items.type()) : entry);
  }
  return left.is_empty() ? Tree() : left;
}

Tree pruned_value(const Tree& value, const FieldNode& fields, const MergeType& type) {
  if (fields.below.empty()) return value;
  if (value.is_object()) return type.map.how == How::kAtomic ? Tree() : pruned_map(value, fields, type);
  if (value.is_array()) return type.list.how == How::kAtomic ? Tree() : pruned_list(value, fields, type);
  return value;
}

}  // namespace

Tree merged(const Tree& live, const Tree& applied, const MergeType& type) { return merged_value(&live, applied, type); }

Tree without_fields(const Tree& object, const FieldSet& fields, const MergeType& type) {
  auto left = pruned_value(object, fields.root(), type);
  return left.is_null() ? Tree::object() : left;
}

Tree without_abandoned(Tree merged, const FieldSet& last, const std::vector<const FieldSet*>& owned,
                       const MergeType& type) {
  const auto named = with_named_fields(last, type);
  auto all_fields = [&type](const Tree& object) { return with_named_fields(fields_of(object, type), type); };
  // What the manager applied before goes with all that is below it; then what has another owner comes back; at last
  // what the manager did not apply before, such as defaults below an entry that stays.
  const auto left = fields_of(without_fields(merged, named, type), type);
  auto sets = owned;
  sets.push_back(&left);
  const auto kept = with_named_fields(union_of(sets), type);
  const auto all = all_fields(merged);
  const auto owned_only = without_fields(merged, difference_of(all, kept), type);
  const auto abandoned = intersection_of(difference_of(all, all_fields(owned_only)), named);
  return abandoned.empty() ? merged : without_fields(merged, abandoned, type);
}

}  // namespace keelson::sandbox
