#include "src/sandbox/patch_strategy.hpp"

#include <map>

namespace keelson::sandbox {

namespace {

// Lists that have the same merge key wherever their names occur, because they occur only in pods and templates.
const std::map<std::string, std::string>& keys_by_name() {
  static const std::map<std::string, std::string> keys{
      {"containers", "name"},
      {"initContainers", "name"},
      {"ephemeralContainers", "name"},
      {"env", "name"},
      {"volumes", "name"},
      {"volumeMounts", "mountPath"},
      {"volumeDevices", "devicePath"},
      {"imagePullSecrets", "name"},
      {"hostAliases", "ip"},
      {"hostIPs", "ip"},
      {"podIPs", "ip"},
      {"topologySpreadConstraints", "topologyKey"},
      {"resourceClaims", "name"},
      {"schedulingGates", "name"},
      {"matchConditions", "name"},
      {"webhooks", "name"},
  };
  return keys;
}

const std::map<std::string, std::string>& keys_by_path() {
  static const std::map<std::string, std::string> keys{
      {"metadata.ownerReferences", "uid"},
      {"metadata.finalizers", ""},
      {"status.conditions", "type"},
      {"status.addresses", "type"},  // Node
      {"status.resourceClaimStatuses", "name"},
      {"spec.ports", "port"},     // Service
      {"spec.podCIDRs", ""},      // Node
      {"spec.drivers", "name"},   // CSINode
      {"secrets", "name"},        // ServiceAccount
      {"spec.variables", "name"}  // admission policies
  };
  return keys;
}

bool ends_with_container_ports(const std::string& path) { return path.ends_with("ontainers.ports"); }

}  // namespace

PatchStrategy patch_strategy(const ServedKind& kind, const std::string& path) {
  if (ends_with_container_ports(path)) return {.merges_list = true, .merge_key = "containerPort"};
  auto by_path = keys_by_path().find(path);
  if (by_path != keys_by_path().end()) return {.merges_list = true, .merge_key = by_path->second};
  auto by_name = keys_by_name().find(path.substr(path.rfind('.') + 1));
  if (by_name != keys_by_name().end()) return {.merges_list = true, .merge_key = by_name->second};
  return {.merge_key = "", .replaces_object = kind.resource.kind == "PodDisruptionBudget" && path == "spec.selector"};
}

}  // namespace keelson::sandbox
