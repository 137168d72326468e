#include "src/sandbox/controllers/flow_control.hpp"

#include <string>

#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

struct LevelRow {
  const char* name;
  int shares;
  int queues;  // 0: requests are rejected
  int hand_size;
  int lendable_percent;
};

constexpr LevelRow kLevels[] = {
    {"catch-all", 5, 0, 0, 0},         {"global-default", 20, 128, 6, 50}, {"leader-election", 10, 16, 4, 0},
    {"node-high", 40, 64, 6, 25},      {"system", 30, 64, 6, 33},          {"workload-high", 40, 128, 6, 50},
    {"workload-low", 100, 128, 6, 90},
};

// `subjects` are words: "group:NAME", "user:NAME" or "account:NAMESPACE/NAME". `rules` has lines of verbs, groups,
// resources and "cluster" for requests without a namespace, separated by "|"; "core" is the group with the empty name.
struct FlowRow {
  const char* name;
  const char* level;
  int precedence;
  const char* distinguisher;  // empty: none
  const char* subjects;
  const char* rules;
  const char* path_verbs;
  const char* paths;
};

constexpr const char* kEverything = "*|*|*|cluster";
constexpr const char* kEveryone = "group:system:unauthenticated group:system:authenticated";

constexpr FlowRow kFlows[] = {
    {"catch-all", "catch-all", 10000, "ByUser", kEveryone, kEverything, "*", "*"},
    {"exempt", "exempt", 1, "", "group:system:masters", kEverything, "*", "*"},
    {"global-default", "global-default", 9900, "ByUser", kEveryone, kEverything, "*", "*"},
    {"kube-controller-manager", "workload-high", 800, "ByNamespace", "user:system:kube-controller-manager", kEverything,
     "*", "*"},
    {"kube-scheduler", "workload-high", 800, "ByNamespace", "user:system:kube-scheduler", kEverything, "*", "*"},
    {"kube-system-service-accounts", "workload-high", 900, "ByNamespace", "account:kube-system/*", kEverything, "*",
     "*"},
    {"probes", "exempt", 2, "", kEveryone, "", "get", "/healthz /readyz /livez"},
    {"service-accounts", "workload-low", 9000, "ByUser", "group:system:serviceaccounts", kEverything, "*", "*"},
    {"system-leader-election", "leader-election", 100, "ByUser",
     "user:system:kube-controller-manager user:system:kube-scheduler account:kube-system/*",
     "get create update|coordination.k8s.io|leases|", "", ""},
    {"system-node-high", "node-high", 400, "ByUser", "group:system:nodes",
     "*|core|nodes nodes/status|cluster\n*|coordination.k8s.io|leases|", "", ""},
    {"system-nodes", "system", 500, "ByUser", "group:system:nodes", kEverything, "*", "*"},
};

Tree named_flow_object(const char* name) {
  return Tree::object(
      {{"metadata", Tree::object({{"name", name},
                                  {"annotations", Tree::object({{"apf.kubernetes.io/autoupdate-spec", "true"}})}})}});
}

Tree limited_level(const LevelRow& row) {
  auto response = Tree::object({{"type", row.queues == 0 ? "Reject" : "Queue"}});
  if (row.queues != 0) {
    response["queuing"] = Tree::object({{"queues", row.queues}, {"handSize", row.hand_size}, {"queueLengthLimit", 50}});
  }
  auto level = named_flow_object(row.name);
  level["spec"] = Tree::object({{"type", "Limited"},
                                {"limited", Tree::object({{"nominalConcurrencyShares", row.shares},
                                                          {"limitResponse", response},
                                                          {"lendablePercent", row.lendable_percent}})}});
  return level;
}

Tree flow_subject(std::string_view text) {
  const auto colon = text.find(':');
  const auto sort = text.substr(0, colon);
  const auto name = text.substr(colon + 1);
  if (sort == "user") return Tree::object({{"kind", "User"}, {"user", Tree::object({{"name", name}})}});
  if (sort == "group") return Tree::object({{"kind", "Group"}, {"group", Tree::object({{"name", name}})}});
  const auto slash = name.find('/');
  return Tree::object(
      {{"kind", "ServiceAccount"},
       {"serviceAccount", Tree::object({{"namespace", name.substr(0, slash)}, {"name", name.substr(slash + 1)}})}});
}

Tree flow_rule(std::string_view line) {
  const auto parts = parts_of(line, '|');
  const auto list = [&parts](std::size_t i) { return text_list(words_of(parts[i] == "core" ? "" : parts[i])); };
  auto rule = Tree::object({{"verbs", list(0)}, {"apiGroups", list(1)}, {"resources", list(2)}});
  if (parts[1] == "core") rule["apiGroups"] = text_list({""});
  if (parts.size() > 3) rule["clusterScope"] = true;
  rule["namespaces"] = text_list({"*"});
  return rule;
}

Tree flow_schema(const FlowRow& row) {
  auto rules = Tree::object({{"subjects", Tree::array()}});
  for (const auto& subject : words_of(row.subjects)) rules["subjects"].items().push_back(flow_subject(subject));
  for (const auto line : parts_of(row.rules, '\n')) list_in(rules, "resourceRules").push_back(flow_rule(line));
  if (*row.paths != '\0') {
    rules["nonResourceRules"] = Tree::array({Tree::object(
        {{"verbs", text_list(words_of(row.path_verbs))}, {"nonResourceURLs", text_list(words_of(row.paths))}})});
  }
  auto schema = named_flow_object(row.name);
  auto& spec = schema["spec"];
  spec = Tree::object(
      {{"priorityLevelConfiguration", Tree::object({{"name", row.level}})}, {"matchingPrecedence", row.precedence}});
  if (*row.distinguisher != '\0') spec["distinguisherMethod"] = Tree::object({{"type", row.distinguisher}});
  spec["rules"] = Tree::array({std::move(rules)});
  return schema;
}

}  // namespace

const kube::Resource& flow_schemas() {
  static const kube::Resource kSchemas(kFlowControl, "v1", "FlowSchema", "flowschemas", false);
  return kSchemas;
}

const kube::Resource& priority_levels() {
  static const kube::Resource kOfLevels(kFlowControl, "v1", "PriorityLevelConfiguration", "prioritylevelconfigurations",
                                        false);
  return kOfLevels;
}

FlowObjects bootstrap_flows() {
  FlowObjects objects;
  auto exempt = named_flow_object("exempt");
  exempt["spec"] = json_tree(R"({"type":"Exempt","exempt":{"nominalConcurrencyShares":0,"lendablePercent":0}})");
  objects.emplace_back(priority_levels(), std::move(exempt));
  for (const auto& row : kLevels) objects.emplace_back(priority_levels(), limited_level(row));
  for (const auto& row : kFlows) objects.emplace_back(flow_schemas(), flow_schema(row));
  return objects;
}

}  // namespace keelson::sandbox
