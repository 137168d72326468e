#include "src/program/commands/doctor_role.hpp"

#include <map>
#include <set>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"

namespace keelson::program {

namespace {

using Names = std::vector<std::string>;

std::string quoted_list(const Names& names) { return "[\"" + base::join(names, "\", \"") + "\"]"; }

struct DoctorRule {
  Names groups;
  Names resources;
  Names verbs;
  Names names = {};  // empty: all objects
};

std::string yaml_of(const std::vector<DoctorRule>& rules) {
  std::string text = "rules:\n";
  for (const auto& rule : rules) {
    text += "- apiGroups: " + quoted_list(rule.groups) + "\n  resources: " + quoted_list(rule.resources) + "\n";
    if (!rule.names.empty()) text += "  resourceNames: " + quoted_list(rule.names) + "\n";
    text += "  verbs: " + quoted_list(rule.verbs) + "\n";
  }
  return text;
}

std::string head_of(const std::string& kind, const std::string& name, const std::string& ns) {
  return "apiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n" +
         (ns.empty() ? "" : "  namespace: " + ns + "\n");
}

std::string binding_of_role(const std::string& kind, const std::string& name, const std::string& ns,
                            const std::string& subject) {
  return head_of(kind + "Binding", name, ns) + "roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: " + kind +
         "\n  name: " + name + "\n" + subject;
}

// Own kinds and their children, by group.
std::vector<DoctorRule> rules_of_kinds(const std::vector<controller::Definition>& controllers) {
  std::map<std::string, std::set<std::string>> own;
  std::map<std::string, std::set<std::string>> children;
  for (const auto& definition : controllers) {
    own[definition.resource().group].insert(definition.resource().plural);
    for (const auto& source : definition.parts().sources) {
      if (source.is_owned) children[source.resource.group].insert(source.resource.plural);
    }
  }
  std::vector<DoctorRule> rules;
  // `create` is for server-side dry runs, which call the webhooks.
  for (const auto& [group, plurals] : own) {
    rules.push_back({{group}, {plurals.begin(), plurals.end()}, {"create", "list", "watch"}});
  }
  for (const auto& [group, plurals] : children) {
    rules.push_back({{group}, {plurals.begin(), plurals.end()}, {"get", "list"}});
  }
  return rules;
}

}  // namespace

std::string doctor_role(const kube::OperatorName& name, const std::vector<controller::Definition>& controllers,
                        const std::string& ns) {
  const auto role = name.with("doctor");
  const auto account = name.with("controller-manager");
  auto of_cluster = rules_of_kinds(controllers);
  const std::vector<DoctorRule> fixed = {
      {{""}, {"namespaces"}, {"get", "list"}},
      {{"apps"}, {"deployments"}, {"get", "list"}},
      {{"apiextensions.k8s.io"}, {"customresourcedefinitions"}, {"get"}},
      {{"rbac.authorization.k8s.io"}, {"clusterrolebindings", "rolebindings"}, {"list"}},
      {{"rbac.authorization.k8s.io"}, {"clusterroles", "roles"}, {"get"}},
      {{"authorization.k8s.io"}, {"subjectaccessreviews"}, {"create"}},
      {{"admissionregistration.k8s.io"},
       {"mutatingwebhookconfigurations", "validatingwebhookconfigurations"},
       {"get", "list"}},
      {{"coordination.k8s.io"}, {"leases"}, {"get", "list"}},
  };
  of_cluster.insert(of_cluster.end(), fixed.begin(), fixed.end());
  const std::vector<DoctorRule> of_namespace = {
      {{""}, {"pods"}, {"get", "list"}},
      {{""}, {"pods/log", "pods/proxy"}, {"get"}},
      {{""}, {"services"}, {"get", "list"}},
      {{"discovery.k8s.io"}, {"endpointslices"}, {"list"}},
      {{""}, {"secrets"}, {"get"}, {name.with("webhook-server-cert")}},
      {{""}, {"serviceaccounts/token"}, {"create"}, {account}},
  };
  const auto subject = "subjects:\n- kind: ServiceAccount\n  name: " + account + "\n  namespace: " + ns + "\n";
  return "# The permissions that `doctor` and `support-bundle` need. doctor stores nothing with them; "
         "RBAC cannot limit\n# `create` to dry runs. To give them to another user, change the subjects.\n" +
         head_of("ClusterRole", role, "") + yaml_of(of_cluster) + "---\n" +
         binding_of_role("ClusterRole", role, "", subject) + "---\n" + head_of("Role", role, ns) +
         yaml_of(of_namespace) + "---\n" + binding_of_role("Role", role, ns, subject);
}

}  // namespace keelson::program
