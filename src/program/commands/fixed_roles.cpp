#include "src/program/commands/fixed_roles.hpp"

#include <string>

namespace keelson::program {

namespace {

// In these texts "{name}" is the operator's name.
constexpr std::string_view kLabels = R"(  labels:
    app.kubernetes.io/name: {name}
    app.kubernetes.io/managed-by: kustomize
)";

// kubebuilder labels all scaffolded objects except the roles of metrics.
enum class Labelled { kNo, kYes };

struct Role {
  std::string_view kind;  // Role or ClusterRole
  std::string_view name;
  Labelled labelled = Labelled::kYes;
};

std::string head(const Role& role, std::string_view kind_suffix, std::string_view name_suffix) {
  std::string text = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ";
  text.append(role.kind).append(kind_suffix).append("\nmetadata:\n");
  if (role.labelled == Labelled::kYes) text += kLabels;
  text.append("  name: ").append(role.name).append(name_suffix).append("\n");
  if (role.kind == "Role") text += "  namespace: system\n";
  return text;
}

std::string role_with(const Role& role, std::string_view rules) {
  return head(role, "", "").append("rules:\n").append(rules);
}

// Binds the role to the manager's ServiceAccount.
std::string binding_of(const Role& role) {
  auto text = head(role, "Binding", "binding");
  text.append("roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ").append(role.kind);
  text.append("\n  name: ").append(role.name);
  text += R"(
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
)";
  return text;
}

std::string service_account() {
  std::string text = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n";
  return text.append(kLabels).append("  name: controller-manager\n  namespace: system\n");
}

constexpr Role kManager{"ClusterRole", "manager-role"};
constexpr Role kLeaderElection{"Role", "leader-election-role"};
// For kube-rbac-proxy in front of /metrics; the name is that of kubebuilder 3.
constexpr Role kProxy{"ClusterRole", "proxy-role"};
// For a manager that authenticates and authorizes clients of /metrics itself; the name is that of kubebuilder 4.
constexpr Role kMetricsAuth{"ClusterRole", "metrics-auth-role", Labelled::kNo};
// It has no binding, because the administrator of the cluster decides which clients may read metrics.
constexpr Role kMetricsReader{"ClusterRole", "metrics-reader", Labelled::kNo};
// For --webhook-self-signed, in addition to the manager's role.
constexpr Role kWebhookConfigurations{"ClusterRole", "webhook-certificate-role"};
constexpr Role kWebhookSecret{"Role", "webhook-certificate-role"};

// RBAC cannot limit `create` to a name, and the name of the lease is a flag: the permissions are for all leases of the
// namespace.
constexpr std::string_view kElect = R"(- apiGroups:
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

constexpr std::string_view kReview = R"(- apiGroups:
  - authentication.k8s.io
  resources:
  - tokenreviews
  verbs:
  - create
- apiGroups:
  - authorization.k8s.io
  resources:
  - subjectaccessreviews
  verbs:
  - create
)";

// With the pages of the health port, which are protected as metrics are.
constexpr std::string_view kReadMetrics = R"(- nonResourceURLs:
  - /debug/objects
  - /flagz
  - /metrics
  - /statusz
  verbs:
  - get
)";

constexpr std::string_view kWriteWebhookConfigurations = R"(- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - {name}-mutating-webhook-configuration
  resources:
  - mutatingwebhookconfigurations
  verbs:
  - get
  - patch
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - {name}-validating-webhook-configuration
  resources:
  - validatingwebhookconfigurations
  verbs:
  - get
  - patch
)";

constexpr std::string_view kKeepWebhookSecret =
    R"(# Without `create`, which RBAC cannot limit to a name: config/default contains the
# empty Secret.
- apiGroups:
  - ""
  resourceNames:
  - {name}-webhook-server-cert
  resources:
  - secrets
  verbs:
  - get
  - patch
)";

std::string with_name(std::string text, const kube::OperatorName& name) {
  constexpr std::string_view kName = "{name}";
  for (auto place = text.find(kName); place != std::string::npos; place = text.find(kName, place)) {
    text.replace(place, kName.size(), name.text());
  }
  return text;
}

}  // namespace

std::vector<GeneratedFile> fixed_roles(const kube::OperatorName& name) {
  std::vector<GeneratedFile> files = {
      {"rbac/leader_election_role.yaml", role_with(kLeaderElection, kElect)},
      {"rbac/leader_election_role_binding.yaml", binding_of(kLeaderElection)},
      {"rbac/metrics_auth_role.yaml", role_with(kMetricsAuth, kReview)},
      {"rbac/metrics_auth_role_binding.yaml", binding_of(kMetricsAuth)},
      {"rbac/metrics_reader_role.yaml", role_with(kMetricsReader, kReadMetrics)},
      {"rbac/proxy_role.yaml", role_with(kProxy, kReview)},
      {"rbac/proxy_role_binding.yaml", binding_of(kProxy)},
      {"rbac/role_binding.yaml", binding_of(kManager)},
      {"rbac/service_account.yaml", service_account()},
  };
  for (auto& file : files) file.content = with_name(std::move(file.content), name);
  return files;
}

std::string webhook_certificate_role(const kube::OperatorName& name) {
  return with_name(R"(# Only for --webhook-self-signed: the manager stores its certificate in a Secret
# and writes the CA into its two webhook configurations. The names are those of the
# flags --webhook-secret, --webhook-mutating-configuration and
# --webhook-validating-configuration; config/default sets both.
)" + role_with(kWebhookConfigurations, kWriteWebhookConfigurations) +
                       "---\n" + binding_of(kWebhookConfigurations) + "---\n" +
                       role_with(kWebhookSecret, kKeepWebhookSecret) + "---\n" + binding_of(kWebhookSecret),
                   name);
}

}  // namespace keelson::program
