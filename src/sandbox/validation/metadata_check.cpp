#include "src/sandbox/validation/metadata_check.hpp"

#include <algorithm>
#include <array>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostBytesOfAnnotations = std::size_t{256} << 10;

// A prefix may end with dashes, which are followed by the generated suffix.
void check_generated_name(RuleCheck& check, const Spot& at, std::string_view format) {
  const auto prefix = at.field("generateName");
  auto text = prefix.value->scalar();
  if (text.empty()) return;
  if (text.size() > 1 && text.ends_with('-')) text.back() = 'a';
  for (const auto& why : format_errors(format, text)) check.invalid(prefix, why);
}

void check_name(RuleCheck& check, const Spot& at, std::string_view format) {
  if (format != "none") check_generated_name(check, at, format);
  const auto name = at.field("name");
  if (name.value->scalar().empty()) {
    check.add({FieldReason::kRequired, name.path(), {}, "name or generateName is required"});
  } else if (format != "none") {
    for (const auto& why : format_errors(format, name.value->scalar())) check.invalid(name, why);
  }
}

void check_owner(RuleCheck& check, const Spot& owners, const Tree& owner) {
  const auto check_text = [&](const char* name, const char* why) {
    const auto field = owners.field(name);
    const auto text = owner.text_at({name});
    // A group and version in three parts cannot be parsed, so it has no version.
    const bool is_version = name == std::string_view("apiVersion");
    const bool is_missing = text.empty() || (is_version && (text.ends_with('/') || std::ranges::count(text, '/') > 1));
    if (is_missing) check.invalid(field, Tree(text), why);
  };
  check_text("apiVersion", "version must not be empty");
  check_text("kind", "must not be empty");
  check_text("name", "must not be empty");
  check_text("uid", "must not be empty");
  if (owner.text_at({"apiVersion"}) == "v1" && owner.text_at({"kind"}) == "Event") {
    check.invalid(owners, owner, "/v1, Kind=Event is disallowed from being an owner");
  }
}

void check_owners(RuleCheck& check, const Spot& at) {
  const auto owners = at.field("ownerReferences");
  std::string first;
  for (const auto& owner : owners.value->items()) {
    check_owner(check, owners, owner);
    if (!owner.is_true_at({"controller"})) continue;
    const auto name = owner.text_at({"kind"}) + "/" + owner.text_at({"name"});
    if (first.empty()) {
      first = name;
    } else {
      check.invalid(owners, "Only one reference can have Controller set to true. Found \"true\" in references for " +
                                first + " and " + name);
    }
  }
}

void check_finalizers(RuleCheck& check, const Spot& at) {
  const auto finalizers = at.field("finalizers");
  const auto& items = finalizers.value->items();
  for (const auto& item : items) {
    for (const auto& why : format_errors("label_key", item.scalar())) check.invalid(finalizers, item, why);
  }
  if (contains(items, Tree("orphan")) && contains(items, Tree("foregroundDeletion"))) {
    check.invalid(finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

constexpr const char* kUnknownFinalizer = "name is neither a standard finalizer name nor is it fully qualified";

bool is_known_finalizer(const std::string& name) {
  const bool is_standard = name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
  return is_standard || name.find('/') != std::string::npos;
}

void check_known_finalizers(RuleCheck& check, const Spot& at) {
  const auto finalizers = at.field("finalizers");
  for (std::size_t i = 0; i < finalizers.value->items().size(); ++i) {
    const auto finalizer = finalizers.item(i);
    if (!is_known_finalizer(finalizer.value->scalar())) check.invalid(finalizer, kUnknownFinalizer);
  }
}

// The members that an update may not change; those that it may omit have their former values again.
void check_immutable_members(RuleCheck& check, const Spot& at) {
  for (const char* name : {"uid", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const auto member = at.field(name);
    if (*member.value != *member.before) check.invalid(member, "field is immutable");
  }
}

void check_no_new_finalizers(RuleCheck& check, const Spot& at) {
  if (at.before->find("deletionTimestamp") == nullptr) return;
  const auto finalizers = at.field("finalizers");
  std::set<std::string> extra;
  for (const auto& finalizer : finalizers.value->items()) extra.insert(finalizer.scalar());
  for (const auto& finalizer : finalizers.before->items()) extra.erase(finalizer.scalar());
  if (extra.empty()) return;
  check.add({FieldReason::kForbidden,
             finalizers.path(),
             {},
             "no new finalizers can be added if the object is being deleted, found new finalizers []string{" +
                 quoted_words(extra) + "}"});
}

// ValidateObjectMeta without the name.
void check_whole(RuleCheck& check, const Spot& at, bool is_plain) {
  const auto generation = at.field("generation");
  if (number_in(*generation.value) < 0) check.invalid(generation, "must be greater than or equal to 0");
  check_labels(check, at.field("labels"));
  check_annotations(check, at.field("annotations"));
  check_owners(check, at);
  check_finalizers(check, at);
  if (!is_plain) check_known_finalizers(check, at);
}

// ValidateObjectMetaUpdate.
void check_change(RuleCheck& check, const Spot& at, bool is_plain) {
  check_no_new_finalizers(check, at);
  check_immutable_members(check, at);
  check_labels(check, at.field("labels"));
  check_annotations(check, at.field("annotations"));
  check_owners(check, at);
  if (!is_plain) check_known_finalizers(check, at);
}

// Which of both the API server runs for an update of a kind, in addition to those of all kinds: W and C. The message
// of a Status has each error once, but its causes have all of them.
struct UpdateChecks {
  std::string_view checks;
  std::string_view kinds;
};
constexpr auto kUpdateChecks = std::to_array<UpdateChecks>({
    {"WC",
     "Namespace Node Job.batch CertificateSigningRequest.certificates.k8s.io IPAddress.networking.k8s.io "
     "ClusterRoleBinding.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io "
     "Event.events.k8s.io RoleBinding.rbac.authorization.k8s.io Role.rbac.authorization.k8s.io "
     "DeviceClass.resource.k8s.io "
     "ResourceClaim.resource.k8s.io ResourceClaimTemplate.resource.k8s.io StorageClass.storage.k8s.io "
     "CSIStorageCapacity.storage.k8s.io APIService.apiregistration.k8s.io RuntimeClass.node.k8s.io"},
    {"CW",
     "ConfigMap Endpoints PersistentVolumeClaim Pod Secret ServiceAccount ControllerRevision.apps "
     "IngressClass.networking.k8s.io Ingress.networking.k8s.io VolumeAttributesClass.storage.k8s.io"},
    {"WW", "PersistentVolume"},
    {"W",
     "Event LimitRange MutatingAdmissionPolicy.admissionregistration.k8s.io "
     "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io "
     "MutatingWebhookConfiguration.admissionregistration.k8s.io "
     "ValidatingAdmissionPolicy.admissionregistration.k8s.io "
     "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "
     "ValidatingWebhookConfiguration.admissionregistration.k8s.io EndpointSlice.discovery.k8s.io "
     "FlowSchema.flowcontrol.apiserver.k8s.io PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io "
     "CSINode.storage.k8s.io VolumeAttachment.storage.k8s.io"},
    {"", "PodDisruptionBudget.policy"},
});

std::string_view update_checks(const Tree& object) {
  const auto version = object.text_at({"apiVersion"});
  const auto slash = version.find('/');
  const auto kind = object.text_at({"kind"}) + (slash == std::string::npos ? "" : "." + version.substr(0, slash));
  const auto found =
      std::ranges::find_if(kUpdateChecks, [&kind](const UpdateChecks& one) { return has_word(one.kinds, kind); });
  return found == kUpdateChecks.end() ? "C" : found->checks;
}

}  // namespace

void check_labels(RuleCheck& check, const Spot& at) {
  for (const auto& [name, value] : at.value->members()) {
    for (const auto& why : format_errors("label_key", name)) check.invalid(at, Tree(name), why);
    for (const auto& why : format_errors("label_value", value.scalar())) check.invalid(at, value, why);
  }
}

void check_annotations(RuleCheck& check, const Spot& at) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : at.value->members()) {
    for (const auto& why : format_errors("lower_label_key", name)) check.invalid(at, Tree(name), why);
    bytes += name.size() + value.scalar().size();
  }
  if (bytes > kMostBytesOfAnnotations) check.add(FieldError::too_long(at.path(), kMostBytesOfAnnotations));
}

void check_namespace_finalizers(RuleCheck& check, const Spot& at) {
  for (const auto& item : at.value->items()) {
    for (const auto& why : format_errors("label_key", item.scalar())) check.invalid(at, item, why);
    if (!is_known_finalizer(item.scalar())) check.invalid(at, item, kUnknownFinalizer);
  }
}

void check_template_metadata(RuleCheck& check, const Spot& at) {
  check_annotations(check, at.field("annotations"));
  check_labels(check, at.field("labels"));
  // In the order and with the names of Go.
  constexpr std::pair<const char*, const char*> kOthers[] = {
      {"name", "name"},
      {"generateName", "generateName"},
      {"namespace", "namespace"},
      {"selfLink", "selfLink"},
      {"uid", "uID"},
      {"resourceVersion", "resourceVersion"},
      {"generation", "generation"},
      {"creationTimestamp", "creationTimestamp"},
      {"deletionTimestamp", "deletionTimestamp"},
      {"deletionGracePeriodSeconds", "deletionGracePeriodSeconds"},
      {"ownerReferences", "ownerReferences"},
      {"finalizers", "finalizers"},
      {"managedFields", "managedFields"}};
  for (const auto& [name, shown] : kOthers) {
    if (at.value->find(name) == nullptr || at.field(name).value->is_null()) continue;
    check.add({FieldReason::kForbidden, at.field(shown).path(), {}, "cannot be set"});
  }
}

void check_metadata(RuleCheck& check, const Spot& at, std::string_view name_format, bool is_plain) {
  if (check.is_new()) {
    check_name(check, at, name_format);
    return check_whole(check, at, is_plain);
  }
  // Those of all kinds.
  check_whole(check, at, true);
  check_change(check, at, true);
  for (const char pass : update_checks(*at.outer->value)) {
    if (pass == 'C') {
      check_change(check, at, is_plain);
    } else {
      if (name_format != "none") check_generated_name(check, at, name_format);
      check_whole(check, at, is_plain);
    }
  }
}

}  // namespace keelson::sandbox
