#include "src/sandbox/custom/value_check.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "keelson/detail/base/go_text.hpp"
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
  std::unordered_map<std::string_view, const Tree*> index_;
};

// The cost of comparing the value with another one.
std::size_t comparison_steps(const Tree& value) {
  auto steps = 1 + value.scalar().size() / 16;
  for (const auto& item : value.items()) steps += comparison_steps(item);
  for (const auto& [name, member] : value.members()) steps += 1 + name.size() / 16 + comparison_steps(member);
  return steps;
}

class ValueCheck {
 public:
  explicit ValueCheck(std::size_t steps) : steps_(steps) {}

  // `may_keep`: errors are dropped if the value did not change.
  Findings check(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before, bool may_keep);
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }

 private:
  void check_parts(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                   Findings& findings);
  void check_alternatives(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                          Findings& findings);
  void check_any(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                 Findings& findings);
  void check_one(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                 Findings& findings);
  void check_all(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                 Findings& findings);
  Findings check_object(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before);
  Findings check_list(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before);
  [[nodiscard]] bool spend(std::size_t steps) {
    is_exhausted_ = is_exhausted_ || steps > steps_;
    steps_ -= std::min(steps, steps_);
    return !is_exhausted_;
  }

  std::size_t steps_;
  bool is_exhausted_ = false;
};

void ValueCheck::check_any(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                           Findings& findings) {
  std::optional<Findings> best;
  for (const auto& part : schema.any_of) {
    auto found = check(value, *part, place, before, false);
    if (found.errors.empty()) return findings.merge(std::move(found));
    if (!best || found.matches > best->matches) best = std::move(found);
  }
  findings.add_plain(base::quote_go(place.text()) + " must validate at least one schema (anyOf)");
  if (best) findings.merge(std::move(*best));
}

void ValueCheck::check_one(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                           Findings& findings) {
  std::optional<Findings> best;
  std::optional<Findings> first_valid;
  std::size_t valid = 0;
  for (const auto& part : schema.one_of) {
    auto found = check(value, *part, place, before, false);
    if (found.errors.empty()) {
      if (valid++ == 0) first_valid = std::move(found);
      best.reset();
    } else if (valid == 0 && (!best || found.matches > best->matches)) {
      best = std::move(found);
    }
  }
  if (valid == 1) return findings.merge(std::move(*first_valid));
  findings.add_plain(base::quote_go(place.text()) + " must validate one and only one schema (oneOf). " +
                     (valid == 0 ? "Found none valid" : "Found " + std::to_string(valid) + " valid alternatives"));
  if (best) findings.merge(std::move(*best));
}

void ValueCheck::check_all(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                           Findings& findings) {
  std::size_t valid = 0;
  for (const auto& part : schema.all_of) {
    auto found = check(value, *part, place, before, false);
    if (found.errors.empty()) ++valid;
    findings.merge(std::move(found));
  }
  if (valid == schema.all_of.size()) return;
  findings.add_plain(base::quote_go(place.text()) + " must validate all the schemas (allOf)" +
                     (valid == 0 ? ". None validated" : ""));
}

void ValueCheck::check_alternatives(const Tree& value, const ValueSchema& schema, const Place& place,
                                    const Tree* before, Findings& findings) {
  Findings found;
  if (!schema.any_of.empty()) check_any(value, schema, place, before, found);
  if (!schema.one_of.empty()) check_one(value, schema, place, before, found);
  if (!schema.all_of.empty()) check_all(value, schema, place, before, found);
  if (schema.negated && check(value, *schema.negated, place, before, false).errors.empty()) {
    found.add_plain(base::quote_go(place.text()) + " must not validate the schema (not)");
  }
  found.matches += 2;
  findings.merge(std::move(found));
}

Findings ValueCheck::check_object(const Tree& value, const ValueSchema& schema, const Place& place,
                                  const Tree* before) {
  Findings findings;
  const auto& members = value.members();
  check_member_count(members.size(), schema, place, findings);
  const OldMembers old(before != nullptr && before->is_object() ? before : nullptr);
  for (const auto& [name, member] : members) {
    const auto* part = schema.find(name);
    if (part == nullptr) {
      if (schema.forbids_others) findings.add_forbidden_property(place, name);
      continue;
    }
    const Place here{&place, name};
    findings.merge(check(member, *part, here, old.find(name), true));
    if (is_exhausted_ || findings.is_full()) break;
  }
  for (const auto& name : schema.required) {
    if (!spend(1 + members.size() / 4)) break;
    if (value.find(name) == nullptr) findings.add_required(Place{&place, name});
  }
  return findings;
}

Findings ValueCheck::check_list(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before) {
  Findings findings;
  const auto& items = value.items();
  std::map<std::string, const Tree*> old;
  const bool has_keys = before != nullptr && before->is_array() && schema.list_type == "map";
  if (has_keys && spend(before->items().size())) {
    for (const auto& item : before->items()) old.emplace(entry_key(item, schema), &item);
  }
  for (std::size_t i = 0; schema.items && i < items.size(); ++i) {
    const Place here{&place, {}, i, true};
    const Tree* same = nullptr;
    if (has_keys) {
      auto found = old.find(entry_key(items[i], schema));
      if (found != old.end()) same = found->second;
    }
    findings.merge(check(items[i], *schema.items, here, same, true));
    if (is_exhausted_ || findings.is_full()) break;
  }
  check_item_count(items.size(), schema, place, findings);
  if (schema.has_unique_items) {
    std::set<std::string> seen;
    bool is_unique =
        std::ranges::all_of(items, [&seen](const Tree& item) { return seen.insert(go_json(item)).second; });
    if (!is_unique) findings.add_invalid(place, Tree(""), " in body shouldn't contain duplicates");
  }
  ++findings.matches;
  return findings;
}

void ValueCheck::check_parts(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                             Findings& findings) {
  check_alternatives(value, schema, place, before, findings);
  if (value.is_string() && !check_string(value, schema, place, steps_, findings)) is_exhausted_ = true;
  if (value.type() == Tree::Type::kNumber) check_number(value, schema, place, findings);
  if (value.is_array()) {
    findings.merge(check_list(value, schema, place, before));
    ++findings.matches;
  }
  check_enum(value, schema, place, findings);
  if (value.is_object()) {
    findings.merge(check_object(value, schema, place, before));
    ++findings.matches;
  }
}

Findings ValueCheck::check(const Tree& value, const ValueSchema& schema, const Place& place, const Tree* before,
                           bool may_keep) {
  Findings findings;
  if (!spend(1 + schema.values.size())) return findings;
  check_type(value, schema, place, findings);
  if (value.is_null()) {
    check_enum(value, schema, place, findings);
  } else {
    check_parts(value, schema, place, before, findings);
    ++findings.matches;
  }
  const bool is_kept =
      may_keep && before != nullptr && !findings.errors.empty() && spend(comparison_steps(value)) && *before == value;
  if (is_kept) findings.errors.clear();
  return findings;
}

}  // namespace

void check_value(const CheckedValue& checked, std::vector<FieldError>& errors) {
  const Place root{};
  const bool may_keep = !checked.field.empty();  // the object itself always changes
  ValueCheck check(kValueCheckSteps);
  // The former value is only checked if there are errors.
  auto findings = check.check(checked.value, checked.schema, root, nullptr, false);
  bool is_exhausted = check.is_exhausted();
  if (!findings.errors.empty() && checked.before != nullptr) {
    ValueCheck again(kValueCheckSteps);
    findings = again.check(checked.value, checked.schema, root, checked.before, may_keep);
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
