#include "src/sandbox/fields/list_rules.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;

MergeRule by(std::vector<ListKey> keys) { return {How::kByKey, std::move(keys)}; }
ListKey required(const char* field) { return {field, Tree()}; }

// The rules of metadata, for every kind.
const std::map<std::string, MergeRule>& metadata_rules() {
  static const std::map<std::string, MergeRule> rules{
      {"metadata.ownerReferences", by({required("uid")})},
      {"metadata.finalizers", {How::kSet, {}}},
  };
  return rules;
}

// Paths in a Pod; in a template they follow `spec.template.`.
const std::map<std::string, MergeRule>& pod_rules() {
  static const ListKey protocol{"protocol", "TCP"};
  static const std::map<std::string, MergeRule> rules{
      {"spec.containers", by({required("name")})},
      {"spec.initContainers", by({required("name")})},
      {"spec.volumes", by({required("name")})},
      {"spec.imagePullSecrets", by({required("name")})},
      {"spec.hostAliases", by({required("ip")})},
      {"spec.topologySpreadConstraints", by({required("topologyKey"), required("whenUnsatisfiable")})},
      {"spec.nodeSelector", {How::kAtomic, {}}},
      {"container.ports", by({required("containerPort"), protocol})},
      {"container.env", by({required("name")})},
      {"container.env.valueFrom.configMapKeyRef", {How::kAtomic, {}}},
      {"container.env.valueFrom.fieldRef", {How::kAtomic, {}}},
      {"container.env.valueFrom.secretKeyRef", {How::kAtomic, {}}},
      {"container.volumeMounts", by({required("mountPath")})},
      {"container.volumeDevices", by({required("devicePath")})},
      {"status.conditions", by({required("type")})},
      {"status.podIPs", by({required("ip")})},
  };
  return rules;
}

// The rules of other kinds.
const std::map<std::string, MergeRule>& other_rules() {
  static const std::map<std::string, MergeRule> rules{
      {"spec.ports", by({required("port"), {"protocol", "TCP"}})},  // Service
      {"spec.selector", {How::kAtomic, {}}},                        // Service, Deployment
      {"status.conditions", by({required("type")})},
      {"secrets", by({required("name")})},
  };
  return rules;
}

// pod_rules has "spec.template.spec.containers.env" as "container.env".
std::string pod_path(std::string path) {
  auto at = path.rfind("template.");
  if (at != std::string::npos) path = path.substr(at + 9);
  for (const char* list : {"spec.containers.", "spec.initContainers."}) {
    if (path.rfind(list, 0) == 0) return "container." + path.substr(std::string_view(list).size());
  }
  return path;
}

}  // namespace

ListRules ListRules::built_in() {
  ListRules rules;
  rules.knows_pods_ = true;
  return rules;
}

ListRules ListRules::from_schema(const Tree& object_schema) {
  ListRules rules;
  rules.read_schema("", object_schema);
  return rules;
}

void ListRules::read_schema(const std::string& path, const Tree& schema) {
  auto list_type = schema.text_at({"x-kubernetes-list-type"});
  MergeRule rule;
  if (list_type == "set") rule.how = How::kSet;
  if (schema.text_at({"x-kubernetes-map-type"}) == "atomic") rule.how = How::kAtomic;
  if (list_type == "map") {
    rule.how = How::kByKey;
    for (const auto& name : schema.items_at({"x-kubernetes-list-map-keys"})) {
      const Tree* default_value = schema.at({"items", "properties", name.scalar(), "default"});
      rule.keys.push_back({name.scalar(), default_value != nullptr ? *default_value : Tree()});
    }
  }
  if (rule.how != How::kGranular) rules_[path] = rule;
  if (const Tree* items = schema.find("items")) read_schema(path, *items);
  for (const auto& [name, property] : schema.members_at({"properties"})) {
    read_schema(path.empty() ? name : path + "." + name, property);
  }
}

const MergeRule& ListRules::rule(const std::string& path, const Tree& value) const {
  auto look = [](const std::map<std::string, MergeRule>& rules, const std::string& key) {
    auto found = rules.find(key);
    return found == rules.end() ? nullptr : &found->second;
  };
  const MergeRule* rule = look(metadata_rules(), path);
  if (rule == nullptr) rule = look(rules_, path);
  if (rule == nullptr && knows_pods_) rule = look(other_rules(), path);
  if (rule == nullptr && knows_pods_) rule = look(pod_rules(), pod_path(path));
  const bool is_merged =
      rule != nullptr && (value.is_object() ? rule->how == How::kAtomic : rule->how != How::kGranular);
  if (is_merged) return *rule;
  static const MergeRule kByMember;
  static const MergeRule kAsAWhole{How::kAtomic, {}};
  return value.is_object() ? kByMember : kAsAWhole;
}

std::string joined(const std::string& path, const std::string& name) {
  // No rule has such a long path, and copying it for each of many members would take minutes.
  constexpr std::size_t kMostPath = 4096;
  if (path.size() + name.size() > kMostPath) return "\n";
  return path.empty() ? name : path + "." + name;
}

}  // namespace keelson::sandbox
