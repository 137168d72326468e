#include "src/sandbox/fields/field_merge.hpp"

#include <algorithm>
#include <optional>

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;
using Places = std::map<std::string, std::size_t>;

void merge_at(Tree& live, const Tree& applied, const std::string& path, const ListRules& rules);

void merge_entries(Tree& live, const Tree& applied, const std::string& path, const MergeRule& rule,
                   const ListRules& rules) {
  auto places = places_of_entries(live, rule);
  auto& entries = live.items();
  for (const auto& entry : applied.items()) {
    auto [place, is_new] = places.try_emplace(entry_step(entry, rule), entries.size());
    if (is_new) {
      entries.push_back(entry);
    } else if (rule.how == How::kByKey) {
      for (const auto& [name, member] : entry.members()) {
        merge_at(entries[place->second][name], member, joined(path, name), rules);
      }
    }
  }
}

void merge_at(Tree& live, const Tree& applied, const std::string& path, const ListRules& rules) {
  const auto& rule = rules.rule(path, applied);
  const bool has_parts = applied.is_array() || applied.is_object();
  if (!has_parts || live.type() != applied.type() || rule.how == How::kAtomic) {
    live = applied;
  } else if (applied.is_array()) {
    merge_entries(live, applied, path, rule, rules);
  } else {
    for (const auto& [name, member] : applied.members()) merge_at(live[name], member, joined(path, name), rules);
  }
}

// Finds the values of the steps below a value. The entries of a list are indexed only once.
class StepsOf {
 public:
  StepsOf(const Tree* value, const std::string& path, const ListRules& rules)
      : value_(value), path_(path), rules_(rules) {}

  // Null if the step does not exist.
  [[nodiscard]] const Tree* find(const std::string& step) {
    if (value_ == nullptr) return nullptr;
    if (step[0] == 'f') return value_->find(std::string_view(step).substr(2));
    auto place = place_of(step);
    return place ? &value_->items()[*place] : nullptr;
  }
  [[nodiscard]] std::optional<std::size_t> place_of(const std::string& step) {
    if (!places_) places_ = places_of_entries(*value_, rules_.rule(path_, *value_));
    auto found = places_->find(step);
    return found == places_->end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const Tree* value_;
  const std::string& path_;
  const ListRules& rules_;
  std::optional<Places> places_;
};

std::string path_below(const std::string& path, const std::string& step) {
  return step[0] == 'f' ? joined(path, step.substr(2)) : path;
}

// True if a part was removed and the value became empty.
bool take_away_below(Tree& value, const FieldNode& fields, const std::string& path, const ListRules& rules) {
  const Tree as_it_was = value;
  StepsOf steps(&as_it_was, path, rules);
  std::vector<std::size_t> taken_entries;
  bool is_taken = false;
  for (const auto& field : fields.below) {
    if (steps.find(field.step) == nullptr) continue;
    const bool is_member = field.step[0] == 'f';
    auto name = field.step.substr(2);
    auto place = is_member ? std::nullopt : steps.place_of(field.step);
    Tree& part = is_member ? *value.find(name) : value.items()[*place];
    if (!field.is_member && !take_away_below(part, field, path_below(path, field.step), rules)) continue;
    is_taken = true;
    if (is_member) {
      value.erase(name);
    } else {
      taken_entries.push_back(*place);
    }
  }
  if (!taken_entries.empty()) {
    std::vector<bool> is_gone(value.items().size());
    for (auto place : taken_entries) is_gone[place] = true;
    std::size_t place = 0;
    std::erase_if(value.items(), [&](const Tree&) { return is_gone[place++]; });
  }
  return is_taken && value.is_empty();
}

class Disagreements {
 public:
  Disagreements(const ListRules& rules, const std::function<bool(const FieldPath&)>& on_each)
      : rules_(rules), on_each_(on_each) {}

  void look(const FieldNode& one, const FieldNode& other, const Tree* live, const Tree* applied,
            const std::string& path, FieldNode& found) {
    StepsOf live_steps(live, path, rules_);
    StepsOf applied_steps(applied, path, rules_);
    for (const auto& node : one.below) {
      const auto* same = is_over_ ? nullptr : other.find(node.step);
      if (same == nullptr) continue;
      const Tree* is = live_steps.find(node.step);
      const Tree* desired = applied_steps.find(node.step);
      FieldNode below{node.step};
      steps_.push_back(node.step);
      const bool is_in_both = node.is_member && same->is_member && node.step[0] == 'f';
      if (is_in_both && (is == nullptr || desired == nullptr || !(*is == *desired))) {
        below.is_member = true;
        is_over_ = !on_each_(steps_);
      }
      look(node, *same, is, desired, path_below(path, node.step), below);
      steps_.pop_back();
      found.add(std::move(below));
    }
  }

 private:
  const ListRules& rules_;
  const std::function<bool(const FieldPath&)>& on_each_;
  FieldPath steps_;
  bool is_over_ = false;
};

FieldNode abandoned_below(const FieldNode& owned, const FieldNode* applied,
                          const std::vector<const FieldNode*>& others) {
  FieldNode found{owned.step};
  const bool is_entry = owned.is_member && owned.step[0] == 'k';
  auto keys = is_entry ? Tree::parse(std::string_view(owned.step).substr(2)) : Result<Tree>(Tree());
  for (const auto& node : owned.below) {
    const auto* is_applied = applied != nullptr ? applied->find(node.step) : nullptr;
    std::vector<const FieldNode*> theirs;
    for (const auto* other : others) {
      if (const auto* same = other->find(node.step)) theirs.push_back(same);
    }
    auto below = abandoned_below(node, is_applied, theirs);
    const bool is_key = is_entry && keys && keys->find(std::string_view(node.step).substr(2)) != nullptr;
    below.is_member = node.is_member && theirs.empty() && !is_key && (is_applied == nullptr || !is_applied->is_member);
    found.add(std::move(below));
  }
  return found;
}

}  // namespace

void merge_into(Tree& live, const Tree& applied, const ListRules& rules) { merge_at(live, applied, "", rules); }

void take_away(Tree& object, const FieldSet& fields, const ListRules& rules) {
  static_cast<void>(take_away_below(object, fields.root(), "", rules));
}

FieldSet disagreements(const FieldSet& one, const FieldSet& other, const Tree& live, const Tree& applied,
                       const ListRules& rules, const std::function<bool(const FieldPath&)>& on_each) {
  FieldNode found;
  Disagreements(rules, on_each).look(one.root(), other.root(), &live, &applied, "", found);
  return FieldSet(std::move(found));
}

FieldSet abandoned(const FieldSet& owned, const FieldSet& applied, const std::vector<const FieldSet*>& others) {
  std::vector<const FieldNode*> theirs;
  for (const auto* other : others) theirs.push_back(&other->root());
  return FieldSet(abandoned_below(owned.root(), &applied.root(), theirs));
}

}  // namespace keelson::sandbox
