#include <algorithm>
#include <set>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/tables/event_columns.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

// The number of members or items, in a column of strings.
Column size_column(std::string name, std::string field, std::string type = "string") {
  return {std::move(name),
          [field = std::move(field)](const Tree& object, WallTime /*now*/) -> Tree {
            return {static_cast<std::int64_t>(size_at(object, {field}))};
          },
          std::move(type)};
}

Columns config_map() {
  auto both = [](const Tree& map, WallTime /*now*/) -> Tree {
    return {static_cast<std::int64_t>(size_at(map, {"data"}) + size_at(map, {"binaryData"}))};
  };
  return {name_column(), {"Data", both}, age_column()};
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

std::string kernel_version(const Tree& node) {
  auto architecture = node.text_at({"status", "nodeInfo", "architecture"});
  auto version = text_or(node.at({"status", "nodeInfo", "kernelVersion"}), "<unknown>");
  return architecture.empty() ? version : version + " (" + architecture + ")";
}

Columns node() {
  auto internal = [](const Tree& n) { return node_address(n, "InternalIP"); };
  auto external = [](const Tree& n) { return node_address(n, "ExternalIP"); };
  return {name_column(),
          computed_column("Status", node_status),
          computed_column("Roles", node_roles),
          age_column(),
          text_column("Version", {"status", "nodeInfo", "kubeletVersion"}),
          computed_column("Internal-IP", internal, 1),
          computed_column("External-IP", external, 1),
          text_column("OS-Image", {"status", "nodeInfo", "osImage"}, "<unknown>", 1),
          computed_column("Kernel-Version", kernel_version, 1),
          text_column("Container-Runtime", {"status", "nodeInfo", "containerRuntimeVersion"}, "<unknown>", 1)};
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

Columns persistent_volume_claim() {
  return {name_column(),
          computed_column("Status", phase_of),
          text_column("Volume", {"spec", "volumeName"}),
          computed_column("Capacity", claim_capacity),
          computed_column("Access Modes", claim_modes),
          text_column("StorageClass", {"spec", "storageClassName"}),
          text_column("VolumeAttributesClass", {"spec", "volumeAttributesClassName"}, "<unset>"),
          age_column(),
          text_column("VolumeMode", {"spec", "volumeMode"}, "<unset>", 1)};
}

std::string volume_modes(const Tree& volume) { return access_modes(volume.items_at({"spec", "accessModes"})); }

std::string volume_claim(const Tree& volume) {
  const Tree* claim = volume.at({"spec", "claimRef"});
  return claim == nullptr ? "" : claim->text_at({"namespace"}) + "/" + claim->text_at({"name"});
}

Columns persistent_volume() {
  return {name_column(),
          text_column("Capacity", {"spec", "capacity", "storage"}, "0"),
          computed_column("Access Modes", volume_modes),
          text_column("Reclaim Policy", {"spec", "persistentVolumeReclaimPolicy"}),
          computed_column("Status", phase_of),
          computed_column("Claim", volume_claim),
          text_column("StorageClass", {"spec", "storageClassName"}),
          text_column("VolumeAttributesClass", {"spec", "volumeAttributesClassName"}, "<unset>"),
          text_column("Reason", {"status", "reason"}),
          age_column(),
          text_column("VolumeMode", {"spec", "volumeMode"}, "<unset>", 1)};
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

Columns role_binding() {
  return {name_column(),
          computed_column("Role", role_of),
          age_column(),
          computed_column("Users", subjects<'U'>, 1),
          computed_column("Groups", subjects<'G'>, 1),
          computed_column("ServiceAccounts", subjects<'S'>, 1)};
}

Columns pod_disruption_budget() {
  return {name_column(), text_column("Min Available", {"spec", "minAvailable"}, "N/A"),
          text_column("Max Unavailable", {"spec", "maxUnavailable"}, "N/A"),
          number_column("Allowed Disruptions", {"status", "disruptionsAllowed"}), age_column()};
}

Columns priority_class() {
  auto is_default = [](const Tree& object, WallTime /*now*/) {
    const Tree* value = object.find("globalDefault");
    return value != nullptr ? *value : Tree(false);
  };
  return {name_column(),
          number_column("Value", {"value"}),
          {"Global-Default", is_default, "boolean"},
          age_column(),
          text_column("PreemptionPolicy", {"preemptionPolicy"})};
}

Columns storage_class() {
  auto expands = [](const Tree& object, WallTime /*now*/) {
    const Tree* value = object.find("allowVolumeExpansion");
    return value != nullptr ? *value : Tree(false);
  };
  return {name_column(),
          text_column("Provisioner", {"provisioner"}),
          text_column("ReclaimPolicy", {"reclaimPolicy"}, "Delete"),
          text_column("VolumeBindingMode", {"volumeBindingMode"}, "Immediate"),
          {"AllowVolumeExpansion", expands},
          age_column()};
}

}  // namespace

Columns cluster_columns(const std::string& kind) {
  if (kind == "ConfigMap") return config_map();
  if (kind == "Secret") {
    return {name_column(), text_column("Type", {"type"}), size_column("Data", "data"), age_column()};
  }
  if (kind == "Event") return event_columns();
  if (kind == "Namespace") return {name_column(), text_column("Status", {"status", "phase"}), age_column()};
  if (kind == "Node") return node();
  if (kind == "PersistentVolumeClaim") return persistent_volume_claim();
  if (kind == "PersistentVolume") return persistent_volume();
  if (kind == "RoleBinding" || kind == "ClusterRoleBinding") return role_binding();
  if (kind == "PodDisruptionBudget") return pod_disruption_budget();
  if (kind == "HorizontalPodAutoscaler") return autoscaler_columns();
  if (kind == "Lease") return {name_column(), text_column("Holder", {"spec", "holderIdentity"}), age_column()};
  if (kind == "PriorityClass") return priority_class();
  if (kind == "StorageClass") return storage_class();
  if (kind == "RuntimeClass") return {name_column(), text_column("Handler", {"handler"}), age_column()};
  if (kind == "MutatingWebhookConfiguration" || kind == "ValidatingWebhookConfiguration") {
    return {name_column(), size_column("Webhooks", "webhooks", "integer"), age_column()};
  }
  if (kind == "ServiceAccount" || kind == "ResourceClaimTemplate" || kind == "DeviceClass") {
    return {name_column(), age_column()};
  }
  return {};
}

}  // namespace keelson::sandbox
