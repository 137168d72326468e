#include <algorithm>
#include <array>
#include <set>

#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/relations.hpp"

namespace keelson::sandbox {

namespace {

void check_same_containers(RuleCheck& check, const Spot& at, const Words&) {
  if (at.before->items().size() == at.value->items().size()) return;
  check.add({FieldReason::kForbidden, at.path(), {}, "pod updates may not add or remove containers"});
  check.stop();
}

// A deadline can be set, and shortened.
void check_deadline_update(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::int64_t kMost = 2'147'483'647;
  const auto had = number_in(*at.before);
  const auto has = number_in(*at.value);
  if (at.value->is_null()) {
    if (at.before->is_null()) return;
    return check.add(
        {FieldReason::kInvalid, at.path(), "null", "must not update from a positive integer to nil value"});
  }
  const bool is_in_range = has >= 0 && has <= kMost;
  if (!is_in_range) check.invalid(at, "must be between 0 and 2147483647, inclusive");
  const bool is_longer = is_in_range && !at.before->is_null() && had < has;
  if (is_longer) check.invalid(at, "must be less than or equal to previous value");
  if (!is_in_range || is_longer) check.stop();
}

// What identifies a toleration: all but its seconds. The order of its members does not.
std::array<std::string, 4> identity_of(const Tree& toleration) {
  return {toleration.text_at({"key"}), toleration.text_at({"operator"}), toleration.text_at({"value"}),
          toleration.text_at({"effect"})};
}

void check_added_tolerations(RuleCheck& check, const Spot& at, const Words&) {
  std::set<std::array<std::string, 4>> now;
  for (const auto& toleration : at.value->items()) now.insert(identity_of(toleration));
  const bool has_all = std::ranges::all_of(
      at.before->items(), [&now](const Tree& toleration) { return now.contains(identity_of(toleration)); });
  if (has_all) return;
  check.add(
      {FieldReason::kForbidden, at.path(), {}, "existing toleration can not be modified except its tolerationSeconds"});
}

void check_removed_gates(RuleCheck& check, const Spot& at, const Words&) {
  std::set<std::string> had;
  for (const auto& gate : at.before->items()) had.insert(gate.text_at({"name"}));
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto spot = at.item(i);
    const auto name = spot.value->text_at({"name"});
    if (had.contains(name)) continue;
    check.add({FieldReason::kForbidden,
               spot.path() + ".name",
               {},
               "only deletion is allowed, but found new scheduling gate '" + name + "'"});
  }
}

// A pod with scheduling gates may get node selectors.
void check_selector_update(RuleCheck& check, const Spot& at) {
  const auto selector = at.field("nodeSelector");
  const bool has_all = std::ranges::all_of(selector.before->members(), [&selector](const auto& member) {
    const Tree* same = selector.value->find(member.first);
    return same != nullptr && *same == member.second;
  });
  if (has_all) return;
  check.add({FieldReason::kInvalid, selector.path(), selector.value->is_null() ? "null" : shown_value(*selector.value),
             "only additions to spec.nodeSelector are allowed (no mutations or deletions)"});
}

// The specification with the former values of all fields that an update may change.
Tree without_mutable(Tree spec, const Tree& former) {
  for (const char* name : {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
    copy_member(former, spec, name);
  }
  const Tree* grace = spec.find("terminationGracePeriodSeconds");
  const bool is_repaired = grace != nullptr && *grace == Tree(1);
  if (is_repaired && former.integer_at({"terminationGracePeriodSeconds"}) < 0) {
    copy_member(former, spec, "terminationGracePeriodSeconds");
  }
  for (const char* list : {"containers", "initContainers"}) {
    const auto& had = former.items_at({list});
    const auto containers = spec.items_of(list);
    for (std::size_t i = 0; i < had.size() && i < containers.size(); ++i) copy_member(had[i], containers[i], "image");
  }
  return spec;
}

void check_pod_spec_update(RuleCheck& check, const Spot& at, const Words&) {
  if (is_same(*at.before, *at.value)) return;
  auto next = without_mutable(*at.value, *at.before);
  if (!at.before->items_at({"schedulingGates"}).empty()) {
    check_selector_update(check, at);
    copy_member(*at.before, next, "nodeSelector");
  }
  if (are_equal_internally(*at.before, next, "core.PodSpec")) return;
  check.add({FieldReason::kForbidden,
             at.path(),
             {},
             "pod updates may not change fields other than "
             "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
             "`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow "
             "it to be set to 1 if it was previously negative)\n" +
                 internal_difference(*at.before, next, "core.PodSpec")});
}

}  // namespace

const Relations& pod_update_relations() {
  static const Relations kRelations{
      {"same_containers", check_same_containers},     {"deadline_update", check_deadline_update},
      {"added_tolerations", check_added_tolerations}, {"removed_gates", check_removed_gates},
      {"pod_spec_update", check_pod_spec_update},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
