#include "src/sandbox/authorization/bootstrap_roles.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kRbac = "rbac.authorization.k8s.io";
constexpr const char* kToAdmin = "system:aggregate-to-admin";
constexpr const char* kToEdit = "system:aggregate-to-edit";
constexpr const char* kToView = "system:aggregate-to-view";
constexpr const char* kRead = "get list watch";
constexpr const char* kWrite = "create delete deletecollection patch update";
constexpr const char* kAll = "create delete deletecollection get list patch update watch";

// Words separated by spaces. "core" is the group with the empty name.
struct RuleRow {
  const char* role;
  const char* verbs;
  const char* groups;
  const char* resources;
  const char* paths = "";
};

constexpr RuleRow kRules[] = {
    {"cluster-admin", "*", "*", "*"},
    {"cluster-admin", "*", "", "", "*"},
    {kToAdmin, "create", "authorization.k8s.io", "localsubjectaccessreviews"},
    {kToAdmin, kAll, kRbac, "rolebindings roles"},
    {kToEdit, kRead, "core", "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy"},
    {kToEdit, "impersonate", "core", "serviceaccounts"},
    {kToEdit, kWrite, "core", "pods pods/attach pods/exec pods/portforward pods/proxy"},
    {kToEdit, "create", "core", "pods/eviction"},
    {kToEdit, kWrite, "core",
     "configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts "
     "services services/proxy"},
    {kToEdit, "create", "core", "serviceaccounts/token"},
    {kToEdit, kWrite, "core events.k8s.io", "events"},
    {kToEdit, kWrite, "apps",
     "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets "
     "statefulsets/scale"},
    {kToEdit, kWrite, "autoscaling", "horizontalpodautoscalers"},
    {kToEdit, kWrite, "batch", "cronjobs jobs"},
    {kToEdit, kWrite, "extensions",
     "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets "
     "replicasets/scale replicationcontrollers/scale"},
    {kToEdit, kWrite, "policy", "poddisruptionbudgets"},
    {kToEdit, kWrite, "networking.k8s.io", "ingresses networkpolicies"},
    {kToEdit, kAll, "coordination.k8s.io", "leases"},
    {kToEdit, kWrite, "resource.k8s.io", "resourceclaims resourceclaimtemplates"},
    {kToView, kRead, "core",
     "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers "
     "replicationcontrollers/scale serviceaccounts services services/status"},
    {kToView, kRead, "core",
     "bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas "
     "resourcequotas/status"},
    {kToView, kRead, "core", "namespaces"},
    {kToView, kRead, "core events.k8s.io", "events"},
    {kToView, kRead, "discovery.k8s.io", "endpointslices"},
    {kToView, kRead, "apps",
     "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets "
     "replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status"},
    {kToView, kRead, "autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status"},
    {kToView, kRead, "batch", "cronjobs cronjobs/status jobs jobs/status"},
    {kToView, kRead, "extensions",
     "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status "
     "networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale"},
    {kToView, kRead, "policy", "poddisruptionbudgets poddisruptionbudgets/status"},
    {kToView, kRead, "networking.k8s.io", "ingresses ingresses/status networkpolicies"},
    {kToView, kRead, "resource.k8s.io", "resourceclaims resourceclaims/status resourceclaimtemplates"},
    {"system:auth-delegator", "create", "authentication.k8s.io", "tokenreviews"},
    {"system:auth-delegator", "create", "authorization.k8s.io", "subjectaccessreviews"},
    {"system:basic-user", "create", "authorization.k8s.io", "selfsubjectaccessreviews selfsubjectrulesreviews"},
    {"system:basic-user", "create", "authentication.k8s.io", "selfsubjectreviews"},
    {"system:discovery", "get", "", "",
     "/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/"},
    {"system:public-info-viewer", "get", "", "", "/healthz /livez /readyz /version /version/"},
    {"system:service-account-issuer-discovery", "get", "", "",
     "/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/"},
};

struct RoleRow {
  const char* name;
  const char* part_of;    // the role into which this one is aggregated
  const char* aggregate;  // this role aggregates the roles with this label
};

constexpr RoleRow kRoles[] = {
    {"cluster-admin", "", ""},
    {"system:discovery", "", ""},
    {"system:basic-user", "", ""},
    {"system:public-info-viewer", "", ""},
    {"admin", "", "admin"},
    {"edit", "admin", "edit"},
    {"view", "edit", "view"},
    {kToAdmin, "admin", ""},
    {kToEdit, "edit", ""},
    {kToView, "view", ""},
    {"system:auth-delegator", "", ""},
    {"system:service-account-issuer-discovery", "", ""},
};

struct BindingRow {
  const char* name;  // also the name of the role
  const char* groups;
};

constexpr BindingRow kBindings[] = {
    {"cluster-admin", kMasters},
    {"system:discovery", kAuthenticated},
    {"system:basic-user", kAuthenticated},
    {"system:public-info-viewer", "system:authenticated system:unauthenticated"},
    {"system:service-account-issuer-discovery", "system:serviceaccounts"},
};

Tree list_of_words(const char* text) {
  auto words = words_of(text);
  std::ranges::replace(words, "core", "");
  return text_list(words);
}

Tree rule_of(const RuleRow& row) {
  auto rule = Tree::object();
  auto add = [&rule](const char* name, const char* text) {
    if (*text != '\0') rule[name] = list_of_words(text);
  };
  add("apiGroups", row.groups);
  add("nonResourceURLs", row.paths);
  add("resources", row.resources);
  add("verbs", row.verbs);
  return rule;
}

std::string aggregation_label(const char* role) {
  return std::string("rbac.authorization.k8s.io/aggregate-to-") + role;
}

Tree bootstrap_object(const char* name) {
  return Tree::object(
      {{"metadata",
        Tree::object({{"name", name},
                      {"labels", Tree::object({{"kubernetes.io/bootstrapping", "rbac-defaults"}})},
                      {"annotations", Tree::object({{"rbac.authorization.kubernetes.io/autoupdate", "true"}})}})}});
}

Tree role_of(const RoleRow& row) {
  auto role = bootstrap_object(row.name);
  if (*row.part_of != '\0') role["metadata"]["labels"][aggregation_label(row.part_of)] = "true";
  auto rules = Tree::array();
  for (const auto& rule : kRules) {
    if (std::string_view(rule.role) == row.name) rules.items().push_back(rule_of(rule));
  }
  if (*row.aggregate != '\0') {
    auto labels = Tree::object({{aggregation_label(row.aggregate), "true"}});
    auto selector = Tree::object({{"matchLabels", labels}});
    role["aggregationRule"] = Tree::object({{"clusterRoleSelectors", Tree::array({selector})}});
    rules = Tree();
  }
  role["rules"] = std::move(rules);
  return role;
}

Tree binding_of(const BindingRow& row) {
  auto binding = bootstrap_object(row.name);
  const auto groups = list_of_words(row.groups);
  auto subjects = Tree::array();
  for (const auto& group : groups.items()) {
    subjects.items().push_back(Tree::object({{"kind", "Group"}, {"apiGroup", kRbac}, {"name", group}}));
  }
  binding["subjects"] = std::move(subjects);
  binding["roleRef"] = Tree::object({{"apiGroup", kRbac}, {"kind", "ClusterRole"}, {"name", row.name}});
  return binding;
}

}  // namespace

std::vector<std::pair<kube::Resource, Tree>> bootstrap_roles() {
  std::vector<std::pair<kube::Resource, Tree>> objects;
  for (const auto& row : kRoles) objects.emplace_back(kube::cluster_roles(), role_of(row));
  for (const auto& row : kBindings) objects.emplace_back(kube::cluster_role_bindings(), binding_of(row));
  return objects;
}

}  // namespace keelson::sandbox
