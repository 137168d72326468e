#include "src/program/generate_rbac.hpp"

#include <algorithm>

#include "keelson/base/assert.hpp"
#include "keelson/base/text.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/json/yaml.hpp"
#include "src/program/generate_webhook.hpp"
#include "src/program/manager_role.hpp"

namespace keelson::program {

namespace {

constexpr std::string_view kServiceAccount = R"(apiVersion: v1
kind: ServiceAccount
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: controller-manager
  namespace: system
)";

constexpr std::string_view kRoleBinding = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: manager-rolebinding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: manager-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
)";

constexpr std::string_view kKustomizationHead = R"(resources:
# The account that the manager runs as, in the deployment's namespace. Whoever
# uses one that exists already changes the subjects of the bindings too.
- service_account.yaml
- role.yaml
- role_binding.yaml
# For --leader-elect: the lease that replicas compete for, and Events about it.
- leader_election_role.yaml
- leader_election_role_binding.yaml
# For each kind, roles for people: the manager itself does not use them, and
# whoever does not want them takes these lines out.
)";

// A creation has no name yet that could be looked at, and the name is a flag's: the rights are on all leases of the
// namespace.
constexpr std::string_view kLeaderElectionRole = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: leader-election-role
  namespace: system
rules:
- apiGroups:
  - coordination.k8s.io
  resources:
  - leases
  verbs:
  - create
  - get
  - update
  - watch
- apiGroups:
  - ""
  resources:
  - events
  verbs:
  - create
  - patch
)";

constexpr std::string_view kLeaderElectionRoleBinding = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: leader-election-rolebinding
  namespace: system
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: leader-election-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
)";

// The flag is off by default, so the rights are too.
constexpr std::string_view kCertificateRoleLine =
    R"(# Take the # away where the manager runs with --webhook-self-signed: it may create
# Secrets in its namespace then, and change its two webhook configurations.
#- webhook_certificate_role.yaml
)";

// What --webhook-self-signed needs, beside the manager's own role.
constexpr std::string_view kCertificateRole =
    R"(# For --webhook-self-signed alone: the manager keeps its certificate in a Secret
# and writes the CA into its two webhook configurations. Nobody has these rights
# before this file is in the list of kustomization.yaml. The names are those of the
# flags --webhook-secret, --webhook-mutating-configuration and
# --webhook-validating-configuration: change them together.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: webhook-certificate-role
rules:
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - keelson-mutating-webhook-configuration
  resources:
  - mutatingwebhookconfigurations
  verbs:
  - get
  - patch
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - keelson-validating-webhook-configuration
  resources:
  - validatingwebhookconfigurations
  verbs:
  - get
  - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: webhook-certificate-rolebinding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: webhook-certificate-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: webhook-certificate-role
  namespace: system
rules:
# A creation has no name yet that could be looked at.
- apiGroups:
  - ""
  resources:
  - secrets
  verbs:
  - create
- apiGroups:
  - ""
  resourceNames:
  - keelson-webhook-server-cert
  resources:
  - secrets
  verbs:
  - get
  - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: webhook-certificate-rolebinding
  namespace: system
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: webhook-certificate-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
)";

// Roles for people, one line a role.
struct Helper {
  std::string_view name;
  std::vector<std::string> verbs;
  std::vector<std::string> scale_verbs;
  std::string_view explanation;
};

std::vector<Helper> helpers() {
  return {
      {"admin", {"*"}, {"*"}, "# Everything that can be done to them: for whoever hands out rights to others.\n"},
      {"editor",
       {"create", "delete", "get", "list", "patch", "update", "watch"},
       {"get", "patch", "update"},
       "# Creating, changing and deleting them: for whoever runs them.\n"},
      {"viewer", {"get", "list", "watch"}, {"get"}, "# Looking at them: for whoever watches over them.\n"},
  };
}

void write_strings(json::Writer& writer, std::string_view name, const std::vector<std::string>& values) {
  writer.key(name).begin_array();
  for (const std::string& value : values) writer.string(value);
  writer.end_array();
}

enum class Labels { kNone, kOwn };

std::string cluster_role(std::string_view name, Labels labels, const std::vector<PolicyRule>& rules) {
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", "rbac.authorization.k8s.io/v1").field("kind", "ClusterRole");
  writer.key("metadata").begin_object();
  if (labels == Labels::kOwn) {
    writer.key("labels").begin_object();
    writer.field("app.kubernetes.io/name", "keelson").field("app.kubernetes.io/managed-by", "kustomize").end_object();
  }
  writer.field("name", name).end_object();
  writer.key("rules").begin_array();
  for (const PolicyRule& rule : rules) {
    writer.begin_object();
    write_strings(writer, "apiGroups", rule.groups);
    write_strings(writer, "resources", rule.resources);
    write_strings(writer, "verbs", rule.verbs);
    writer.end_object();
  }
  writer.end_array().end_object();
  const auto document = json::Document::parse(std::move(writer).take());
  KEELSON_ASSERT(document.has_value());
  return json::to_yaml(document->root());
}

std::string helper_role(const Helper& helper, const kube::Kind& kind) {
  const kube::Resource& resource = kind.resource;
  std::vector<PolicyRule> rules = {{{resource.group}, {resource.plural}, helper.verbs}};
  if (kind.has_scale) rules.push_back({{resource.group}, {resource.plural + "/scale"}, helper.scale_verbs});
  rules.push_back({{resource.group}, {resource.plural + "/status"}, {"get"}});
  const std::string name = base::to_lower(resource.kind) + "-" + std::string(helper.name) + "-role";
  return "# For people who work with " + resource.qualified_plural() + "; the manager does not use it.\n" +
         std::string(helper.explanation) + cluster_role(name, Labels::kOwn, rules);
}

std::vector<GeneratedFile> helper_roles(const std::vector<controller::Definition>& definitions) {
  std::vector<GeneratedFile> files;
  for_each_kind(definitions, [&files](const kube::Kind& kind) {
    for (const Helper& helper : helpers()) {
      files.push_back({"rbac/" + base::to_lower(kind.resource.kind) + "_" + std::string(helper.name) + "_role.yaml",
                       helper_role(helper, kind)});
    }
  });
  std::sort(files.begin(), files.end(), [](const auto& left, const auto& right) { return left.path < right.path; });
  return files;
}

}  // namespace

void generate_rbac(const std::vector<controller::Definition>& definitions, std::vector<GeneratedFile>& out) {
  std::string kustomization(kKustomizationHead);
  for (GeneratedFile& role : helper_roles(definitions)) {
    kustomization += "- " + role.path.substr(std::string_view("rbac/").size()) + "\n";
    out.push_back(std::move(role));
  }
  if (any_webhooks(definitions)) {
    kustomization += kCertificateRoleLine;
    out.push_back({"rbac/webhook_certificate_role.yaml", std::string(kCertificateRole)});
  }
  out.push_back({"rbac/kustomization.yaml", std::move(kustomization)});
  out.push_back({"rbac/role.yaml", "---\n" + cluster_role("manager-role", Labels::kNone, manager_rules(definitions))});
  out.push_back({"rbac/leader_election_role.yaml", std::string(kLeaderElectionRole)});
  out.push_back({"rbac/leader_election_role_binding.yaml", std::string(kLeaderElectionRoleBinding)});
  out.push_back({"rbac/role_binding.yaml", std::string(kRoleBinding)});
  out.push_back({"rbac/service_account.yaml", std::string(kServiceAccount)});
}

}  // namespace keelson::program
