#include <algorithm>
#include <array>
#include <utility>

#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/storage/label_selector.hpp"
#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/relations.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

// The labels that the API server gives to the pods of a Job.
struct JobLabels {
  bool has_prefixed = true;
  std::vector<std::pair<std::string, std::string>> list;
};

JobLabels labels_of_job(const RuleCheck& check) {
  constexpr const char* kUid = "batch.kubernetes.io/controller-uid";
  constexpr const char* kName = "batch.kubernetes.io/job-name";
  const auto uid = check.after().text_at({"metadata", "uid"});
  const auto name = check.after().text_at({"metadata", "name"});
  JobLabels labels{.list = {{"controller-uid", uid}, {"job-name", name}}};
  // Jobs of old versions lack the labels with a prefix.
  const auto& had = value_at(check.before(), "spec.template.metadata.labels");
  labels.has_prefixed = check.is_new() || (had.find(kUid) != nullptr && had.find(kName) != nullptr);
  if (!labels.has_prefixed) return labels;
  labels.list.emplace_back(kUid, uid);
  labels.list.emplace_back(kName, name);
  return labels;
}

// `at` is a Job. Unless its author manages the selector, it must be the one that the API server has generated.
void check_generated_selector(RuleCheck& check, const Spot& at, const Words&) {
  const auto spec = at.field("spec");
  const auto selector = spec.field("selector");
  if (spec.value->is_true_at({"manualSelector"}) || selector.value->is_null()) return;
  const auto pod = spec.field("template");
  const auto metadata = pod.field("metadata");
  const auto labels = metadata.field("labels");
  auto expected = Tree::object();
  for (const auto& [key, value] : labels_of_job(check).list) {
    expected[key] = value;
    const Tree* label = labels.value->find(key);
    const auto path = key_path(labels.path(), key);
    const auto why = "must be '" + value + "'";
    if (label == nullptr) {
      check.add({FieldReason::kRequired, path, {}, why});
    } else if (label->scalar() != value) {
      check.add({FieldReason::kInvalid, path, internal_text(*labels.value, "l"), why});
    }
  }
  if (!is_usable_selector(*selector.value) || selects_labels(*selector.value, labels_in(&expected))) return;
  check.add({FieldReason::kInvalid, selector.path(), internal_text(*selector.value, "meta.LabelSelector"),
             "`selector` not auto-generated"});
}

// `at` is an indexed Job: the last of its pods has a name that is a DNS label, as hostnames are.
void check_indexed_pod_name(RuleCheck& check, const Spot& at, const Words&) {
  const auto metadata = at.field("metadata");
  const auto name = metadata.field("name");
  const auto last = name.value->scalar() + "-" + std::to_string(at.value->integer_at({"spec", "completions"}) - 1);
  if (format_errors("dns_label", last).empty()) return;
  check.invalid(name, "will not able to create pod with invalid DNS label: " + last);
}

bool is_suspended(const Tree& job) {
  return std::ranges::any_of(job.items_at({"status", "conditions"}), [](const Tree& condition) {
    return condition.text_at({"type"}) == "Suspended" && condition.text_at({"status"}) == "True";
  });
}

void copy_or_erase(const Tree& from, Tree& to, const char* name) {
  const Tree* value = from.find(name);
  if (value != nullptr) {
    to[name] = *value;
  } else {
    to.erase(name);
  }
}

// The former template with the scheduling directives of the new one.
Tree with_directives(Tree had, const Tree& has) {
  const auto& metadata = value_at(has, "metadata");
  for (const char* name : {"annotations", "labels"}) copy_or_erase(metadata, had["metadata"], name);
  const auto& spec = value_at(has, "spec");
  auto& former = had["spec"];
  for (const char* name : {"nodeSelector", "tolerations", "schedulingGates"}) copy_or_erase(spec, former, name);
  const auto& affinity = value_at(spec, "affinity");
  if (!affinity.is_null() || former.find("affinity") != nullptr) {
    copy_or_erase(affinity, former["affinity"], "nodeAffinity");
    if (affinity.is_null() && former["affinity"].is_empty()) former.erase("affinity");
  }
  return had;
}

// The former containers with the resources of the new ones, if these have the same names.
void copy_resources(const Tree& has, Tree& had, const char* list) {
  const auto& containers = value_at(has, list).items();
  if (had.items_at({list}).size() != containers.size()) return;
  std::size_t i = 0;
  for (auto& former : had.items_of(list)) {
    const auto& container = containers[i++];
    if (former.text_at({"name"}) == container.text_at({"name"})) copy_or_erase(container, former, "resources");
  }
}

// The template of a Job is immutable. That of a suspended one may get other resources and scheduling directives.
void check_job_template(RuleCheck& check, const Spot& at, const Words&) {
  const auto& job = check.before();
  const bool has_started = !job.text_at({"status", "startTime"}).empty();
  const bool may_change = job.is_true_at({"spec", "suspend"}) && (!has_started || is_suspended(job)) &&
                          job.integer_at({"status", "active"}) == 0;
  if (!may_change) {
    if (is_same(*at.before, *at.value)) return;
    const auto shown = internal_text(*at.value, "core.PodTemplateSpec");
    return check.add({FieldReason::kInvalid, at.path(), shown, "field is immutable"});
  }
  const auto spec = at.field("spec");
  auto former = with_directives(*at.before, *at.value)["spec"];
  for (const char* list : {"containers", "initContainers"}) copy_resources(*spec.value, former, list);
  if (is_same(former, *spec.value)) return;
  check.add({FieldReason::kInvalid, spec.path(), internal_text(*spec.value, "core.PodSpec"), "field is immutable"});
}

void check_job_completions(RuleCheck& check, const Spot& at, const Words&) {
  if (is_same(*at.before, *at.value) || at.value->is_null()) return;
  if (*at.value == value_at(*at.outer->value, "parallelism")) return;
  check.invalid(at, "can only be modified in tandem with spec.parallelism");
}

}  // namespace

const Relations& job_relations() {
  static const Relations kRelations{
      {"generated_selector", check_generated_selector},
      {"indexed_pod_name", check_indexed_pod_name},
      {"job_template", check_job_template},
      {"job_completions", check_job_completions},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
