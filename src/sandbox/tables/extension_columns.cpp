#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/fields/simple_path.hpp"
#include "src/sandbox/tables/human_duration.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

std::string component_condition(const Tree& component, const char* member) {
  for (const auto& condition : component.items_at({"conditions"})) {
    if (condition.text_at({"type"}) == "Healthy") return condition.text_at({member});
  }
  return "";
}

std::string component_status(const Tree& component) {
  const auto status = component_condition(component, "status");
  if (status.empty()) return "Unknown";
  return status == "True" ? "Healthy" : "Unhealthy";
}

std::string component_message(const Tree& component) { return component_condition(component, "message"); }
std::string component_error(const Tree& component) { return component_condition(component, "error"); }

// "pods: 1/10, …", of the limits or of the other resources.
std::string quota_use(const Tree& quota, bool of_limits) {
  std::vector<std::string> names;
  for (const auto& [name, hard] : quota.members_at({"status", "hard"})) {
    if (name.starts_with("limits.") == of_limits) names.push_back(name);
  }
  std::ranges::sort(names);
  for (auto& name : names) {
    const auto hard = text_or(quota.at({"status", "hard", name}), "0");
    name += ": " + text_or(quota.at({"status", "used", name}), "0") + "/" + hard;
  }
  return base::join(names, ", ");
}

std::string quota_requests(const Tree& quota) { return quota_use(quota, false); }
std::string quota_limits(const Tree& quota) { return quota_use(quota, true); }

std::string api_service(const Tree& service) {
  const Tree* reference = service.at({"spec", "service"});
  if (reference == nullptr || reference->is_null()) return "Local";
  return reference->text_at({"namespace"}) + "/" + reference->text_at({"name"});
}

std::string api_availability(const Tree& service) {
  const Tree* condition = condition_of(service, "Available");
  if (condition == nullptr) return "Unknown";
  const auto status = condition->text_at({"status"});
  const auto reason = condition->text_at({"reason"});
  return status == "True" || reason.empty() ? status : status + " (" + reason + ")";
}

std::string request_duration(const Tree& request) {
  const Tree* seconds = request.at({"spec", "expirationSeconds"});
  if (seconds == nullptr || seconds->is_null()) return "<none>";
  return human_duration(std::chrono::seconds(request.integer_at({"spec", "expirationSeconds"})));
}

std::string request_condition(const Tree& request) {
  const bool is_approved = condition_of(request, "Approved") != nullptr;
  std::string text = condition_of(request, "Denied") != nullptr ? "Denied" : is_approved ? "Approved" : "Pending";
  if (condition_of(request, "Failed") != nullptr) text += ",Failed";
  if (!request.text_at({"status", "certificate"}).empty()) text += ",Issued";
  return text;
}

std::string address_parent(const Tree& address) {
  const Tree* parent = address.at({"spec", "parentRef"});
  if (parent == nullptr || parent->is_null()) return "<none>";
  const auto group = parent->text_at({"group"});
  const auto ns = parent->text_at({"namespace"});
  const auto resource = parent->text_at({"resource"}) + (group.empty() ? "" : "." + group);
  return base::to_lower(resource) + (ns.empty() ? "" : "/" + ns) + "/" + parent->text_at({"name"});
}

std::string service_ranges(const Tree& range) { return base::join(range.texts_at({"spec", "cidrs"}), ","); }

std::string driver_modes(const Tree& driver) {
  const auto modes = driver.texts_at({"spec", "volumeLifecycleModes"});
  return modes.empty() ? "<none>" : base::join(modes, ",");
}

std::string driver_tokens(const Tree& driver) {
  const Tree* tokens = driver.at({"spec", "tokenRequests"});
  return tokens == nullptr || tokens->is_null() ? "<unset>" : joined_members(tokens->items(), "audience");
}

Tree attach_required(const Tree& driver, WallTime /*now*/) {
  const Tree* flag = driver.at({"spec", "attachRequired"});
  return flag == nullptr || flag->is_null() ? Tree(true) : *flag;
}

Column attacher_column() {
  auto column = text_column("Attacher", "spec.attacher");
  column.format = "name";
  return column;
}

std::string param_kind(const Tree& policy) {
  const Tree* kind = policy.at({"spec", "paramKind"});
  if (kind == nullptr || kind->is_null()) return "<unset>";
  return kind->text_at({"apiVersion"}) + "/" + kind->text_at({"kind"});
}

std::string param_reference(const Tree& binding) {
  const auto name = binding.text_at({"spec", "paramRef", "name"});
  const auto ns = binding.text_at({"spec", "paramRef", "namespace"});
  if (name.empty()) return "<unset>";
  return (ns.empty() ? "*" : ns) + "/" + name;
}

std::string claim_state(const Tree& claim) {
  const bool is_deleted = claim.at({"metadata", "deletionTimestamp"}) != nullptr;
  const Tree* allocation = claim.at({"status", "allocation"});
  if (allocation == nullptr || allocation->is_null()) return is_deleted ? "deleted" : "pending";
  const bool is_reserved = !claim.items_at({"status", "reservedFor"}).empty();
  return std::string(is_deleted ? "deleted," : "") + "allocated" + (is_reserved ? ",reserved" : "");
}

std::string dangling_level(const Tree& schema) {
  const Tree* condition = condition_of(schema, "Dangling");
  return condition == nullptr ? "?" : condition->text_at({"status"});
}

// The real server defines no column for this cell.
Column unnamed_age() {
  auto column = age_column();
  column.name.clear();
  return column;
}

// A number, or the text "<none>".
Column number_or_none(std::string name, std::string path) {
  return {std::move(name), [path = std::move(path)](const Tree& object, WallTime /*now*/) -> Tree {
            const Tree* number = at_path(object, path);
            return number == nullptr || number->is_null() ? Tree("<none>") : *number;
          }};
}

Columns policy_columns(const char* count, const char* path) {
  return {name_column(), size_column(count, path, "integer"), computed_column("ParamKind", param_kind), age_column()};
}

}  // namespace

const KindColumns& extension_columns() {
  static const Columns kBinding{name_column(), text_column("PolicyName", "spec.policyName"),
                                computed_column("ParamRef", param_reference), age_column()};
  static const KindColumns kColumns{
      {"APIService",
       {name_column(), computed_column("Service", api_service), computed_column("Available", api_availability),
        age_column()}},
      {"CSIDriver",
       {name_column(),
        {"AttachRequired", attach_required, "boolean"},
        flag_column("PodInfoOnMount", "spec.podInfoOnMount"),
        flag_column("StorageCapacity", "spec.storageCapacity"),
        computed_column("TokenRequests", driver_tokens),
        flag_column("RequiresRepublish", "spec.requiresRepublish"),
        computed_column("Modes", driver_modes),
        age_column()}},
      {"CSINode", {name_column(), size_column("Drivers", "spec.drivers", "integer"), age_column()}},
      {"CertificateSigningRequest",
       {name_column(), age_column(), text_column("SignerName", "spec.signerName", "<none>"),
        text_column("Requestor", "spec.username"), computed_column("RequestedDuration", request_duration),
        computed_column("Condition", request_condition)}},
      {"ComponentStatus",
       {name_column(), computed_column("Status", component_status), computed_column("Message", component_message),
        computed_column("Error", component_error)}},
      {"FlowSchema",
       {name_column(), text_column("PriorityLevel", "spec.priorityLevelConfiguration.name"),
        number_column("MatchingPrecedence", "spec.matchingPrecedence", "string"),
        text_column("DistinguisherMethod", "spec.distinguisherMethod.type", "<none>"), age_column(),
        computed_column("MissingPL", dangling_level)}},
      {"IPAddress", {name_column(), computed_column("ParentRef", address_parent), unnamed_age()}},
      {"MutatingAdmissionPolicy", policy_columns("Mutations", "spec.mutations")},
      {"MutatingAdmissionPolicyBinding", kBinding},
      {"PriorityLevelConfiguration",
       {name_column(), text_column("Type", "spec.type"),
        number_or_none("NominalConcurrencyShares", "spec.limited.nominalConcurrencyShares"),
        number_or_none("Queues", "spec.limited.limitResponse.queuing.queues"),
        number_or_none("HandSize", "spec.limited.limitResponse.queuing.handSize"),
        number_or_none("QueueLengthLimit", "spec.limited.limitResponse.queuing.queueLengthLimit"), age_column()}},
      {"ResourceClaim", {name_column(), computed_column("State", claim_state), age_column()}},
      {"ResourceQuota",
       {name_column(), computed_column("Request", quota_requests), computed_column("Limit", quota_limits),
        age_column()}},
      {"ResourceSlice",
       {name_column(), text_column("Node", "spec.nodeName"), text_column("Driver", "spec.driver"),
        text_column("Pool", "spec.pool.name"), age_column()}},
      {"ServiceCIDR", {name_column(), computed_column("CIDRs", service_ranges), age_column()}},
      {"ValidatingAdmissionPolicy", policy_columns("Validations", "spec.validations")},
      {"ValidatingAdmissionPolicyBinding", kBinding},
      {"VolumeAttachment",
       {name_column(), attacher_column(), text_column("PV", "spec.source.persistentVolumeName"),
        text_column("Node", "spec.nodeName"), flag_column("Attached", "status.attached"), age_column()}},
      {"VolumeAttributesClass", {name_column(), text_column("DriverName", "driverName"), age_column()}}};
  return kColumns;
}

}  // namespace keelson::sandbox
