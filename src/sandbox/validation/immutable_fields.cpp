#include "src/sandbox/validation/immutable_fields.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace keelson::sandbox {

namespace {

constexpr const char* kIsImmutable = "field is immutable";
constexpr const char* kRoleRef = "cannot change roleRef";

struct ImmutableField {
  std::string_view group;
  std::string_view kind;
  std::string_view parent;  // "" for a field of the object itself
  std::string_view name;
  const char* why = kIsImmutable;
};

// The immutable fields in the validation of Kubernetes 1.36 that do not depend on other fields.
constexpr ImmutableField kFields[] = {
    {"", "Secret", "", "type"},
    {"", "PersistentVolume", "spec", "volumeMode"},
    {"apps", "ControllerRevision", "", "data"},
    {"apps", "DaemonSet", "spec", "selector"},
    {"apps", "Deployment", "spec", "selector"},
    {"apps", "ReplicaSet", "spec", "selector"},
    {"batch", "Job", "spec", "selector"},
    {"batch", "Job", "spec", "completionMode"},
    {"batch", "Job", "spec", "podFailurePolicy"},
    {"batch", "Job", "spec", "backoffLimitPerIndex"},
    {"batch", "Job", "spec", "managedBy"},
    {"batch", "Job", "spec", "successPolicy"},
    {"certificates.k8s.io", "CertificateSigningRequest", "", "spec"},
    {"discovery.k8s.io", "EndpointSlice", "", "addressType"},
    {"networking.k8s.io", "IngressClass", "spec", "controller"},
    {"networking.k8s.io", "IPAddress", "spec", "parentRef"},
    {"rbac.authorization.k8s.io", "RoleBinding", "", "roleRef", kRoleRef},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", "", "roleRef", kRoleRef},
    {"scheduling.k8s.io", "PriorityClass", "", "preemptionPolicy"},
    {"storage.k8s.io", "StorageClass", "", "parameters"},
    {"storage.k8s.io", "StorageClass", "", "provisioner"},
    {"storage.k8s.io", "StorageClass", "", "reclaimPolicy"},
    {"storage.k8s.io", "StorageClass", "", "volumeBindingMode"},
    {"storage.k8s.io", "VolumeAttachment", "", "spec"},
};

// The mutable fields of a StatefulSet's spec; all others are immutable.
constexpr std::string_view kMutableOfStatefulSets[] = {"replicas",
                                                       "ordinals",
                                                       "template",
                                                       "updateStrategy",
                                                       "revisionHistoryLimit",
                                                       "minReadySeconds",
                                                       "persistentVolumeClaimRetentionPolicy"};

const Tree& field_value(const Tree& object, std::string_view parent, std::string_view name) {
  static const Tree kNothing;
  const Tree* home = parent.empty() ? &object : object.find(parent);
  const Tree* value = home != nullptr ? home->find(name) : nullptr;
  return value != nullptr ? *value : kNothing;
}

bool is_same(const Tree& had, const Tree& has);

bool has_members_of(const Tree& one, const Tree& other) {
  return std::ranges::all_of(one.members(), [&other](const auto& member) {
    return is_same(member.second, field_value(other, "", member.first));
  });
}

// As apimachinery's Semantic.DeepEqual: null, empty lists and empty maps are equal to absent ones at every level,
// because servers of different versions write them in different ways (`creationTimestamp: null`).
bool is_same(const Tree& had, const Tree& has) {
  if (had.is_empty() && has.is_empty()) return true;
  if (had.is_object() && has.is_object()) return has_members_of(had, has) && has_members_of(has, had);
  const auto& old_items = had.items();
  const auto& items = has.items();
  const bool are_lists = had.is_array() && has.is_array();
  return are_lists ? std::ranges::equal(old_items, items, is_same) : had == has;
}

bool is_changed(const Tree& before, const Tree& after, std::string_view parent, std::string_view name) {
  return !is_same(field_value(before, parent, name), field_value(after, parent, name));
}

void check_stateful_set(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  auto fixed = [](Tree object) {
    for (auto name : kMutableOfStatefulSets) object["spec"].erase(name);
    return object["spec"];
  };
  if (is_same(fixed(before), fixed(after))) return;
  errors.push_back({FieldReason::kForbidden,
                    "spec",
                    {},
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                    "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
                    "'minReadySeconds' are forbidden"});
}

// ConfigMaps and Secrets with `immutable: true`.
void check_immutable_data(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  if (!(field_value(before, "", "immutable") == Tree(true))) return;
  for (const char* name : {"immutable", "data", "binaryData"}) {
    if (!is_changed(before, after, "", name)) continue;
    errors.push_back({FieldReason::kForbidden, name, {}, "field is immutable when `immutable` is set"});
  }
}

// The template of a suspended Job that has not started may change.
void check_job_update(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  const bool is_waiting =
      field_value(before, "spec", "suspend") == Tree(true) && field_value(before, "status", "startTime").is_null();
  if (!is_waiting && is_changed(before, after, "spec", "template")) {
    errors.push_back(immutable("spec.template", field_value(after, "spec", "template")));
  }
  const bool is_indexed = field_value(after, "spec", "completionMode") == Tree("Indexed");
  if (!is_indexed && is_changed(before, after, "spec", "completions")) {
    errors.push_back(immutable("spec.completions", field_value(after, "spec", "completions")));
  }
}

}  // namespace

FieldError immutable(std::string field, const Tree& value) {
  return {FieldReason::kInvalid, std::move(field), value.text(), kIsImmutable};
}

void check_immutable_fields(const ServedKind& kind, const Tree& before, const Tree& after,
                            std::vector<FieldError>& errors) {
  if (kind.is_custom) return;
  const auto& resource = kind.resource;
  for (const auto& field : kFields) {
    if (field.kind != resource.kind || field.group != resource.group) continue;
    if (!is_changed(before, after, field.parent, field.name)) continue;
    std::string path(field.parent);
    if (!path.empty()) path += ".";
    const auto& value = field_value(after, field.parent, field.name);
    errors.push_back({FieldReason::kInvalid, path.append(field.name), value.text(), field.why});
  }
  if (resource.group == "apps" && resource.kind == "StatefulSet") check_stateful_set(before, after, errors);
  if (resource.group == "batch" && resource.kind == "Job") check_job_update(before, after, errors);
  if (resource.group.empty() && (resource.kind == "ConfigMap" || resource.kind == "Secret")) {
    check_immutable_data(before, after, errors);
  }
}

}  // namespace keelson::sandbox
