#include "src/sandbox/custom/value_check.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/custom/value_place.hpp"
#include "src/sandbox/custom/value_scalars.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

// The members of a large object by name.
class OldMembers {
 public:
  explicit OldMembers(const Tree* object) : object_(object) {
    if (object_ == nullptr || object_->members().size() < 16) return;
    for (const auto& [name, value] : object_->members()) index_.emplace(name, &value);
  }
  [[nodiscard]] const Tree* find(std::string_view name) const {
    if (object_ == nullptr) return nullptr;
    if (index_.empty()) return object_->find(name);
    auto found = index_.find(name);
    return found == index_.end() ? nullptr : found->second;
  }

 private:
  const Tree* object_;
  base::TextMap<std::string_view, const Tree*> index_;
};

// The cost of comparing the value with another one.
std::size_t comparison_steps(const Tree& value) {
  auto steps = 1 + value.scalar().size() / 16;
  for (const auto& item : value.items()) steps += comparison_steps(item);
  for (const auto& [name, member] : value.members()) steps += 1 + name.size() / 16 + comparison_steps(member);
  return steps;
}

// A value to check, and where it is.
struct Checked {
  const Tree& value;
  const ValueSchema& schema;
  const Place& place;
  const Tree* before;
};

class ValueCheck {
 public:
  explicit ValueCheck(std::size_t steps) : steps_(steps) {}

  // `may_keep`: errors are dropped if the value did not change.

  Findings check(const Checked& at, bool may_keep) {
    Findings findings;
    if (!spend(1 + at.schema.values.size())) return findings;
    check_type(at.value, at.schema, at.place, findings);
    if (at.value.is_null()) {
      check_enum(at.value, at.schema, at.place, findings);
    } else {
      check_parts(at, findings);
      ++findings.matches;
    }
    const bool is_kept = may_keep && at.before != nullptr && !findings.errors.empty() &&
                         spend(comparison_steps(at.value)) && *at.before == at.value;
    if (is_kept) findings.errors.clear();
    return findings;
  }

  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }

 private:
  void check_parts(const Checked& at, Findings& findings) {
    check_alternatives(at, findings);
    if (at.value.is_string() && !check_string(at.value, at.schema, at.place, steps_, findings)) is_exhausted_ = true;
    if (at.value.type() == Tree::Type::kNumber) check_number(at.value, at.schema, at.place, findings);
    if (at.value.is_array()) {
      findings.merge(check_list(at));
      ++findings.matches;
    }
    check_enum(at.value, at.schema, at.place, findings);
    if (at.value.is_object()) {
      findings.merge(check_object(at));
      ++findings.matches;
    }
  }

  void check_alternatives(const Checked& at, Findings& findings) {
    Findings found;
    if (!at.schema.any_of.empty()) check_any(at, found);
    if (!at.schema.one_of.empty()) check_one(at, found);
    if (!at.schema.all_of.empty()) check_all(at, found);
    if (at.schema.negated && check({at.value, *at.schema.negated, at.place, at.before}, false).errors.empty()) {
      found.add_plain(base::quote_go(at.place.text()) + " must not validate the schema (not)");
    }
    found.matches += 2;
    findings.merge(std::move(found));
  }

  void check_any(const Checked& at, Findings& findings) {
    std::optional<Findings> best;
    for (const auto& part : at.schema.any_of) {
      auto found = check({at.value, *part, at.place, at.before}, false);
      if (found.errors.empty()) return findings.merge(std::move(found));
      if (!best || found.matches > best->matches) best = std::move(found);
    }
    findings.add_plain(base::quote_go(at.place.text()) + " must validate at least one schema (anyOf)");
    if (best) findings.merge(std::move(*best));
  }

  void check_one(const Checked& at, Findings& findings) {
    std::optional<Findings> best;
    std::optional<Findings> first_valid;
    std::size_t valid = 0;
    for (const auto& part : at.schema.one_of) {
      auto found = check({at.value, *part, at.place, at.before}, false);
      if (found.errors.empty()) {
        if (valid++ == 0) first_valid = std::move(found);
        best.reset();
      } else if (valid == 0 && (!best || found.matches > best->matches)) {
        best = std::move(found);
      }
    }
    if (valid == 1) return findings.merge(std::move(*first_valid));
    findings.add_plain(base::quote_go(at.place.text()) + " must validate one and only one schema (oneOf). " +
                       (valid == 0 ? "Found none valid" : "Found " + std::to_string(valid) + " valid alternatives"));
    if (best) findings.merge(std::move(*best));
  }

  void check_all(const Checked& at, Findings& findings) {
    std::size_t valid = 0;
    for (const auto& part : at.schema.all_of) {
      auto found = check({at.value, *part, at.place, at.before}, false);
      if (found.errors.empty()) ++valid;
      findings.merge(std::move(found));
    }
    if (valid == at.schema.all_of.size()) return;
    findings.add_plain(base::quote_go(at.place.text()) + " must validate all the schemas (allOf)" +
                       (valid == 0 ? ". None validated" : ""));
  }

  Findings check_object(const Checked& at) {
    Findings findings;
    const auto& members = at.value.members();
    check_member_count(members.size(), at.schema, at.place, findings);
    const OldMembers old(at.before != nullptr && at.before->is_object() ? at.before : nullptr);
    for (const auto& [name, member] : members) {
      const auto* part = at.schema.find(name);
      if (part == nullptr) {
        if (at.schema.forbids_others) findings.add_forbidden_property(at.place, name);
        continue;
      }
      const Place here{&at.place, name};
      findings.merge(check({member, *part, here, old.find(name)}, true));
      if (is_exhausted_ || findings.is_full()) break;
    }
    for (const auto& name : at.schema.required) {
      if (!spend(1 + members.size() / 4)) break;
      if (at.value.find(name) == nullptr) findings.add_required(Place{&at.place, name});
    }
    return findings;
  }

  Findings check_list(const Checked& at) {
    Findings findings;
    const auto& items = at.value.items();
    std::map<std::string, const Tree*> old;
    const bool has_keys = at.before != nullptr && at.before->is_array() && at.schema.list_type == "map";
    if (has_keys && spend(at.before->items().size())) {
      for (const auto& item : at.before->items()) old.emplace(entry_key(item, at.schema), &item);
    }
    for (std::size_t i = 0; at.schema.items && i < items.size(); ++i) {
      const Place here{&at.place, {}, i, true};
      const Tree* same = nullptr;
      if (has_keys) {
        auto found = old.find(entry_key(items[i], at.schema));
        if (found != old.end()) same = found->second;
      }
      findings.merge(check({items[i], *at.schema.items, here, same}, true));
      if (is_exhausted_ || findings.is_full()) break;
    }
    check_item_count(items.size(), at.schema, at.place, findings);
    if (at.schema.has_unique_items) {
      std::set<std::string> seen;
      bool is_unique =
          std::ranges::all_of(items, [&seen](const Tree& item) { return seen.insert(go_json(item)).second; });
      if (!is_unique) findings.add_invalid(at.place, Tree(""), " in body shouldn't contain duplicates");
    }
    ++findings.matches;
    return findings;
  }

  [[nodiscard]] bool spend(std::size_t steps) {
    is_exhausted_ = is_exhausted_ || steps > steps_;
    steps_ -= std::min(steps, steps_);
    return !is_exhausted_;
  }

  std::size_t steps_;
  bool is_exhausted_ = false;
};

}  // namespace

void check_value(const CheckedValue& checked, std::vector<FieldError>& errors) {
  const Place root{};
  const bool may_keep = !checked.field.empty();  // the object itself always changes
  ValueCheck check(kValueCheckSteps);
  // The former value is only checked if there are errors.
  auto findings = check.check({checked.value, checked.schema, root, nullptr}, false);
  bool is_exhausted = check.is_exhausted();
  if (!findings.errors.empty() && checked.before != nullptr) {
    ValueCheck again(kValueCheckSteps);
    findings = again.check({checked.value, checked.schema, root, checked.before}, may_keep);
    is_exhausted = is_exhausted || again.is_exhausted();
  }
  if (is_exhausted) {
    errors.push_back({FieldReason::kInvalid,
                      checked.field.empty() ? "<nil>" : checked.field,
                      {},
                      "validating an object of this size with this schema takes too long"});
    return;
  }
  for (auto& found : findings.errors) {
    if (found.is_plain || found.error.path.empty()) {
      found.error.path = checked.field.empty() ? "<nil>" : checked.field;
    } else if (!checked.field.empty()) {
      found.error.path = checked.field + "." + found.error.path;
    }
    errors.push_back(std::move(found.error));
  }
}

}  // namespace keelson::sandbox
