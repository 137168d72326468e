#include "src/sandbox/validation/relations.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/storage/label_selector.hpp"
#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

bool has_wrong_label(const Tree& selector) {
  return std::ranges::any_of(selector.members_at({"matchLabels"}), [](const auto& label) {
    return !format_errors("label_key", label.first).empty() ||
           !format_errors("label_value", label.second.scalar()).empty();
  });
}

bool is_unusable(const Tree& selector) { return !is_usable_selector(selector); }

// `at` is the spec of a workload.
void check_template_labels(RuleCheck& check, const Spot& at, const Words& words) {
  const auto selector = at.field("selector");
  const auto labels = at.field("template").field("metadata").field("labels");
  if (is_unusable(*selector.value)) {
    if (words.empty()) return;
    check.names("unusable_selectors").insert(selector.path());
    check.invalid(selector, words[0].substr(1));
    return;
  }
  if (!selector.value->is_null() && selects_labels(*selector.value, labels_in(labels.value))) return;
  const auto template_spot = at.field("template");
  const auto path = template_spot.path() + ".metadata.labels";
  check.add(
      {FieldReason::kInvalid, path, internal_text(*labels.value, "l"), "`selector` does not match template `labels`"});
}

// `at` is the spec of a StatefulSet. Its claims are checked as the first volumes of its pods.
void check_claim_volumes(RuleCheck& check, const Spot& at, const Words&) {
  std::set<std::string> names;
  for (const auto& claim : at.value->items_at({"volumeClaimTemplates"})) {
    const auto name = claim.text_at({"metadata", "name"});
    if (!names.insert(name).second) continue;
    const auto path = at.path() + ".template.spec.volumes[" + std::to_string(names.size() - 1) + "]";
    if (name.empty()) {
      check.add({FieldReason::kRequired, path + ".persistentVolumeClaim.claimName", "", ""});
      check.add({FieldReason::kRequired, path + ".name", "", ""});
      continue;
    }
    for (const auto& why : format_errors("dns_label", name)) {
      check.add({FieldReason::kInvalid, path + ".name", base::quote_go(name), why});
    }
  }
}

void check_usable_selector(RuleCheck& check, const Spot& at, const Words&) {
  if (is_unusable(*at.value)) {
    check.add({FieldReason::kInvalid, at.path(), "null", "invalid label selector."});
  }
}

void check_int_or_percent(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->is_null()) return;
  if (at.value->is_string()) {
    for (const auto& why : format_errors("percent", at.value->scalar())) check.invalid(at, why);
  } else if (number_in(*at.value) < 0) {
    check.invalid(at, "must be greater than or equal to 0");
  }
}

std::int64_t amount_of(const Tree& int_or_percent) {
  auto text = std::string_view(int_or_percent.scalar());
  if (text.ends_with('%')) text.remove_suffix(1);
  return base::parse_number<std::int64_t>(text).value_or(0);
}

void check_at_most_100_percent(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->is_string() && amount_of(*at.value) > 100 && at.value->scalar().ends_with('%')) {
    check.invalid(at, "must not be greater than 100%");
  }
}

// `at` is rollingUpdate of the kind words[0].
void check_rolling_update(RuleCheck& check, const Spot& at, const Words& words) {
  const auto unavailable = at.field("maxUnavailable");
  const auto surge = at.field("maxSurge");
  const auto is_set = [](const Spot& spot) { return amount_of(*spot.value) != 0; };
  if (words[0] == "Deployment") {
    const bool has_both = !unavailable.value->is_null() && !surge.value->is_null();
    if (has_both && !is_set(unavailable) && !is_set(surge)) {
      check.invalid(unavailable, "may not be 0 when `maxSurge` is 0");
    }
    return;
  }
  if (is_set(unavailable) && is_set(surge)) check.invalid(surge, "may not be set when maxUnavailable is non-zero");
  if (!unavailable.value->is_null() && !is_set(unavailable) && !is_set(surge)) {
    check.add({FieldReason::kRequired, unavailable.path(), {}, "cannot be 0 when maxSurge is 0"});
  }
}

// Numbers in increasing order.
void check_exit_codes(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  std::set<std::int64_t> seen;
  bool is_ordered = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto spot = at.item(i);
    const auto number = number_in(items[i]);
    if (number == 0 && !seen.contains(0) && is_zero(items[i]) &&
        value_at(*at.outer->value, "operator").scalar() == "In") {
      check.invalid(spot, "must not be 0 for the In operator");
    }
    if (!seen.insert(number).second) check.add({FieldReason::kDuplicate, spot.path(), shown_value(items[i])});
    if (i > 0 && number_in(items[i - 1]) > number) is_ordered = false;
  }
  if (!is_ordered) check.invalid(at, "must be ordered");
}

// `at` is the spec of a ReplicationController, whose selector is a map of labels.
void check_controller_labels(RuleCheck& check, const Spot& at, const Words&) {
  const auto& labels = value_at(*at.value, "template.metadata.labels");
  const bool selects = std::ranges::all_of(at.value->members_at({"selector"}), [&](const auto& one) {
    const Tree* label = labels.find(one.first);
    return label != nullptr && *label == one.second;
  });
  if (selects) return;
  check.add({FieldReason::kInvalid, at.path() + ".template.metadata.labels", shown_value(labels),
             "`selector` does not match template `labels`"});
}

// `at` is a metric of a HorizontalPodAutoscaler.
void check_metric_source(RuleCheck& check, const Spot& at, const Words&) {
  constexpr auto kSources = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"Object", "object"},
      {"External", "external"},
      {"Pods", "pods"},
      {"Resource", "resource"},
      {"ContainerResource", "containerResource"},
  });
  const auto type = at.value->text_at({"type"});
  std::size_t count = 0;
  bool is_known = false;
  for (const auto& [name, field] : kSources) {
    const Tree* source = at.value->find(field);
    const bool is_present = source != nullptr && !source->is_null();
    if (is_present) ++count;
    is_known = is_known || name == type;
    if (name != type || is_present) continue;
    check.add(
        {FieldReason::kRequired, at.field(field).path(), {}, "must populate information for the given metric source"});
  }
  if (!is_known) {
    check.add({FieldReason::kNotSupported, at.field("type").path(), base::quote_go(type),
               R"("ContainerResource", "External", "Object", "Pods", "Resource")"});
  }
  if (count == 1) return;
  for (const auto& [name, field] : kSources) {
    if (name == type || at.value->find(field) == nullptr) continue;
    check.add({FieldReason::kForbidden, at.field(field).path(), {}, "must populate the given metric source only"});
  }
}

// `at` is the scaleTargetRef of a HorizontalPodAutoscaler. One that an update leaves has any version.
void check_scale_target_version(RuleCheck& check, const Spot& at, const Words&) {
  const auto version = at.field("apiVersion");
  const auto kind = at.field("kind");
  if (!check.is_new() && is_same(*version.before, *version.value) && is_same(*kind.before, *kind.value)) return;
  const auto& text = version.value->scalar();
  const auto slashes = std::ranges::count(text, '/');
  if (slashes > 1) return check.invalid(version, "unexpected GroupVersion string: " + text);
  const bool has_group = slashes == 1 && !text.starts_with('/');
  if (has_group || kind.value->scalar() == "ReplicationController") return;
  check.invalid(version, "apiVersion must specify API group");
}

void check_revision_data(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->is_object()) return;
  const auto* why = at.value->is_null() ? "data is mandatory" : "data must be a valid JSON object";
  check.add({FieldReason::kRequired, at.path(), {}, why});
}

void check_schedule_zone(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->scalar().find("TZ") == std::string::npos) return;
  check.invalid(at, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
}

void check_scaling_to_zero(RuleCheck& check, const Spot& at, const Words&) {
  const bool has_other = std::ranges::any_of(at.value->items(), [](const Tree& metric) {
    return metric.text_at({"type"}) == "Object" || metric.text_at({"type"}) == "External";
  });
  if (has_other) return;
  check.add({FieldReason::kForbidden,
             at.path(),
             {},
             "must specify at least one Object or External metric to support scaling to zero replicas"});
}

// A container name in a failure policy: one of the template.
void check_template_container(RuleCheck& check, const Spot& at, const Words&) {
  const auto& job = value_at(check.after(), "spec.jobTemplate.spec");
  const auto& pod = value_at(job.is_null() ? value_at(check.after(), "spec") : job, "template.spec");
  for (const char* list : {"containers", "initContainers"}) {
    for (const auto& container : pod.items_at({list})) {
      if (container.text_at({"name"}) == at.value->scalar()) return;
    }
  }
  check.invalid(at, "must be one of the container or initContainer names in the pod template");
}

void check_cron_job_name(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->scalar().size() > 52) check.invalid(at, "must be no more than 52 characters");
}

}  // namespace

bool is_usable_selector(const Tree& selector) {
  if (has_wrong_label(selector)) return false;
  return std::ranges::none_of(selector.items_at({"matchExpressions"}), [](const Tree& one) {
    const auto op = one.text_at({"operator"});
    const auto count = one.items_at({"values"}).size();
    const bool needs_values = op == "In" || op == "NotIn";
    return (!needs_values && op != "Exists" && op != "DoesNotExist") || needs_values != (count > 0) ||
           !format_errors("label_key", one.text_at({"key"})).empty();
  });
}

const Relations& workload_relations() {
  static const Relations kRelations{
      {"template_labels", check_template_labels},       {"controller_labels", check_controller_labels},
      {"claim_volumes", check_claim_volumes},           {"usable_selector", check_usable_selector},
      {"int_or_percent", check_int_or_percent},         {"at_most_100_percent", check_at_most_100_percent},
      {"rolling_update", check_rolling_update},         {"scale_target_version", check_scale_target_version},
      {"revision_data", check_revision_data},           {"exit_codes", check_exit_codes},
      {"schedule_zone", check_schedule_zone},           {"cron_job_name", check_cron_job_name},
      {"template_container", check_template_container}, {"metric_source", check_metric_source},
      {"scaling_to_zero", check_scaling_to_zero},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
