#include <algorithm>
#include <set>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

Tree data_count(const Tree& map, WallTime /*now*/) {
  return {static_cast<std::int64_t>(size_at(map, {"data"}) + size_at(map, {"binaryData"}))};
}

std::string node_status(const Tree& node) {
  const std::string ready = has_condition(node, "Ready") ? "Ready" : "NotReady";
  const std::string status = condition_of(node, "Ready") == nullptr ? "Unknown" : ready;
  return node.is_true_at({"spec", "unschedulable"}) ? status + ",SchedulingDisabled" : status;
}

std::string node_roles(const Tree& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  for (const auto& [name, value] : node.members_at({"metadata", "labels"})) {
    if (name.starts_with(kPrefix)) roles.insert(name.substr(kPrefix.size()));
    if (name == "kubernetes.io/role") roles.insert(value.scalar());
  }
  roles.erase("");
  return roles.empty() ? "<none>" : base::join({roles.begin(), roles.end()}, ",");
}

std::string node_address(const Tree& node, const char* type) {
  for (const auto& address : node.items_at({"status", "addresses"})) {
    if (address.text_at({"type"}) == type) return address.text_at({"address"});
  }
  return "<none>";
}

std::string internal_address(const Tree& node) { return node_address(node, "InternalIP"); }
std::string external_address(const Tree& node) { return node_address(node, "ExternalIP"); }

std::string kernel_version(const Tree& node) {
  auto architecture = node.text_at({"status", "nodeInfo", "architecture"});
  auto version = text_or(node.at({"status", "nodeInfo", "kernelVersion"}), "<unknown>");
  return architecture.empty() ? version : version + " (" + architecture + ")";
}

std::string access_modes(const std::vector<Tree>& modes) {
  std::vector<std::string> texts;
  for (const char* mode : {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"}) {
    bool is_there = std::ranges::find(modes, Tree(mode)) != modes.end();
    if (!is_there) continue;
    std::string letters;
    for (char c : std::string_view(mode)) {
      if (c >= 'A' && c <= 'Z') letters += c;
    }
    texts.push_back(letters);
  }
  return base::join(texts, ",");
}

std::string phase_of(const Tree& volume) {
  if (volume.at({"metadata", "deletionTimestamp"}) != nullptr) return "Terminating";
  return volume.text_at({"status", "phase"});
}

std::string claim_modes(const Tree& claim) {
  if (claim.text_at({"spec", "volumeName"}).empty()) return "";
  return access_modes(claim.items_at({"status", "accessModes"}));
}

std::string claim_capacity(const Tree& claim) {
  if (claim.text_at({"spec", "volumeName"}).empty()) return "";
  return text_or(claim.at({"status", "capacity", "storage"}), "0");
}

std::string volume_modes(const Tree& volume) { return access_modes(volume.items_at({"spec", "accessModes"})); }

std::string volume_claim(const Tree& volume) {
  const Tree* claim = volume.at({"spec", "claimRef"});
  return claim == nullptr ? "" : claim->text_at({"namespace"}) + "/" + claim->text_at({"name"});
}

template <char first>
std::string subjects(const Tree& binding) {
  std::vector<std::string> names;
  for (const auto& subject : binding.items_at({"subjects"})) {
    auto kind = subject.text_at({"kind"});
    if (kind.empty() || kind[0] != first) continue;
    auto ns = kind == "ServiceAccount" ? subject.text_at({"namespace"}) + "/" : "";
    names.push_back(ns + subject.text_at({"name"}));
  }
  return base::join(names, ", ");
}

std::string role_of(const Tree& binding) {
  return binding.text_at({"roleRef", "kind"}) + "/" + binding.text_at({"roleRef", "name"});
}

}  // namespace

const KindColumns& cluster_columns() {
  static const Columns kNameAndAge{name_column(), age_column()};
  static const Columns kRoleBinding{name_column(),
                                    computed_column("Role", role_of),
                                    age_column(),
                                    computed_column("Users", subjects<'U'>, 1),
                                    computed_column("Groups", subjects<'G'>, 1),
                                    computed_column("ServiceAccounts", subjects<'S'>, 1)};
  static const Columns kWebhooks{name_column(), size_column("Webhooks", "webhooks", "integer"), age_column()};
  static const KindColumns kColumns{
      {"ClusterRoleBinding", kRoleBinding},
      {"ConfigMap", {name_column(), {"Data", data_count}, age_column()}},
      {"DeviceClass", kNameAndAge},
      {"Event", event_columns()},
      {"HorizontalPodAutoscaler", autoscaler_columns()},
      {"Lease", {name_column(), text_column("Holder", "spec.holderIdentity"), age_column()}},
      {"MutatingWebhookConfiguration", kWebhooks},
      {"Namespace", {name_column(), text_column("Status", "status.phase"), age_column()}},
      {"Node",
       {name_column(), computed_column("Status", node_status), computed_column("Roles", node_roles), age_column(),
        text_column("Version", "status.nodeInfo.kubeletVersion"), computed_column("Internal-IP", internal_address, 1),
        computed_column("External-IP", external_address, 1),
        text_column("OS-Image", "status.nodeInfo.osImage", "<unknown>", 1),
        computed_column("Kernel-Version", kernel_version, 1),
        text_column("Container-Runtime", "status.nodeInfo.containerRuntimeVersion", "<unknown>", 1)}},
      {"PersistentVolume",
       {name_column(), text_column("Capacity", "spec.capacity.storage", "0"),
        computed_column("Access Modes", volume_modes),
        text_column("Reclaim Policy", "spec.persistentVolumeReclaimPolicy"), computed_column("Status", phase_of),
        computed_column("Claim", volume_claim), text_column("StorageClass", "spec.storageClassName"),
        text_column("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>"),
        text_column("Reason", "status.reason"), age_column(),
        text_column("VolumeMode", "spec.volumeMode", "<unset>", 1)}},
      {"PersistentVolumeClaim",
       {name_column(), computed_column("Status", phase_of), text_column("Volume", "spec.volumeName"),
        computed_column("Capacity", claim_capacity), computed_column("Access Modes", claim_modes),
        text_column("StorageClass", "spec.storageClassName"),
        text_column("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>"), age_column(),
        text_column("VolumeMode", "spec.volumeMode", "<unset>", 1)}},
      {"PodDisruptionBudget",
       {name_column(), text_column("Min Available", "spec.minAvailable", "N/A"),
        text_column("Max Unavailable", "spec.maxUnavailable", "N/A"),
        number_column("Allowed Disruptions", "status.disruptionsAllowed"), age_column()}},
      {"PriorityClass",
       {name_column(), number_column("Value", "value"), flag_column("Global-Default", "globalDefault"), age_column(),
        text_column("PreemptionPolicy", "preemptionPolicy")}},
      {"ResourceClaimTemplate", kNameAndAge},
      {"RoleBinding", kRoleBinding},
      {"RuntimeClass", {name_column(), text_column("Handler", "handler"), age_column()}},
      {"Secret", {name_column(), text_column("Type", "type"), size_column("Data", "data", "string"), age_column()}},
      {"ServiceAccount", kNameAndAge},
      {"StorageClass",
       {name_column(), text_column("Provisioner", "provisioner"),
        text_column("ReclaimPolicy", "reclaimPolicy", "Delete"),
        text_column("VolumeBindingMode", "volumeBindingMode", "Immediate"),
        flag_column("AllowVolumeExpansion", "allowVolumeExpansion", "string"), age_column()}},
      {"ValidatingWebhookConfiguration", kWebhooks}};
  return kColumns;
}

}  // namespace keelson::sandbox
