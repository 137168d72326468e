#include "src/program/fixed_roles.hpp"

#include <string>

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

// What kube-rbac-proxy in front of /metrics needs, by the name that kubebuilder 3 gave it.
constexpr std::string_view kProxyRole = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: proxy-role
rules:
- apiGroups:
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

constexpr std::string_view kProxyRoleBinding = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: proxy-rolebinding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: proxy-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
)";

// The same for a manager that guards /metrics itself, by the name that kubebuilder 4 gave it.
constexpr std::string_view kMetricsAuthRole = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: metrics-auth-role
rules:
- apiGroups:
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

constexpr std::string_view kMetricsAuthRoleBinding = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: metrics-auth-rolebinding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: metrics-auth-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
)";

// No binding on purpose: who may read metrics is for the cluster to say.
constexpr std::string_view kMetricsReaderRole = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: metrics-reader
rules:
- nonResourceURLs:
  - /metrics
  verbs:
  - get
)";

// What --webhook-self-signed needs, beside the manager's own role.
constexpr std::string_view kCertificateRole =
    R"(# For --webhook-self-signed alone: the manager keeps its certificate in a Secret
# and writes the CA into its two webhook configurations. The names are those of the
# flags --webhook-secret, --webhook-mutating-configuration and
# --webhook-validating-configuration; config/default puts both in.
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

struct FixedFile {
  std::string_view path;
  std::string_view content;
};

constexpr FixedFile kFiles[] = {
    {"rbac/leader_election_role.yaml", kLeaderElectionRole},
    {"rbac/leader_election_role_binding.yaml", kLeaderElectionRoleBinding},
    {"rbac/metrics_auth_role.yaml", kMetricsAuthRole},
    {"rbac/metrics_auth_role_binding.yaml", kMetricsAuthRoleBinding},
    {"rbac/metrics_reader_role.yaml", kMetricsReaderRole},
    {"rbac/proxy_role.yaml", kProxyRole},
    {"rbac/proxy_role_binding.yaml", kProxyRoleBinding},
    {"rbac/role_binding.yaml", kRoleBinding},
    {"rbac/service_account.yaml", kServiceAccount},
};

}  // namespace

std::vector<GeneratedFile> fixed_roles() {
  std::vector<GeneratedFile> files;
  for (const FixedFile& file : kFiles) files.push_back({std::string(file.path), std::string(file.content)});
  return files;
}

std::string_view webhook_certificate_role() { return kCertificateRole; }

}  // namespace keelson::program
