#include "src/program/commands/generate_rbac.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/program/commands/fixed_roles.hpp"

namespace keelson::program {

namespace {

constexpr std::string_view kKustomizationHead = R"(resources:
# The ServiceAccount of the manager, in the namespace of the Deployment. To use an
# existing one, change the subjects of the bindings, too.
- service_account.yaml
- role.yaml
- role_binding.yaml
# For --leader-elect: the lease that replicas compete for, and Events about it.
- leader_election_role.yaml
- leader_election_role_binding.yaml
# For /metrics: kube-rbac-proxy may create reviews to authenticate and authorize
# clients. A manager with --metrics-secure needs the two files of metrics_auth instead.
- proxy_role.yaml
- proxy_role_binding.yaml
#- metrics_auth_role.yaml
#- metrics_auth_role_binding.yaml
# For clients that scrape /metrics: it has no effect until you bind it.
- metrics_reader_role.yaml
)";

constexpr std::string_view kCertificateRoleLine =
    R"(# For --webhook-self-signed: the manager stores the certificate in a Secret and
# patches its two webhook configurations. cert-manager does not need it.
- webhook_certificate_role.yaml
)";

constexpr std::string_view kHelpersLine =
    R"(# Roles for users of each kind. The manager does not use them; remove these lines
# if you do not need them.
)";

// The roles for users, a row each.
struct Helper {
  std::string_view name;
  std::vector<std::string> verbs;
  std::vector<std::string> scale_verbs;
  std::string_view explanation;
};

std::vector<Helper> helpers() {
  return {
      {"admin", {"*"}, {"*"}, "# All verbs, for administrators who grant permissions to others.\n"},
      {"editor",
       {"create", "delete", "get", "list", "patch", "update", "watch"},
       {"get", "patch", "update"},
       "# Creates, changes and deletes objects, for users who run them.\n"},
      {"viewer", {"get", "list", "watch"}, {"get"}, "# Reads objects, for users who monitor them.\n"},
  };
}

void write_strings(json::Writer& writer, std::string_view name, const std::vector<std::string>& values) {
  writer.key(name).begin_array();
  for (const std::string& value : values) writer.string(value);
  writer.end_array();
}

// `label` is app.kubernetes.io/name; empty: no labels.
std::string cluster_role(std::string_view name, std::string_view label,
                         const std::vector<controller::PolicyRule>& rules) {
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", "rbac.authorization.k8s.io/v1").field("kind", "ClusterRole");
  writer.key("metadata").begin_object();
  if (!label.empty()) {
    writer.key("labels").begin_object();
    writer.field("app.kubernetes.io/name", label).field("app.kubernetes.io/managed-by", "kustomize").end_object();
  }
  writer.field("name", name).end_object();
  writer.key("rules").begin_array();
  for (const controller::PolicyRule& rule : rules) {
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

std::string helper_role(const Helper& helper, const kube::Kind& kind, const std::string& short_name,
                        const kube::OperatorName& operator_name) {
  const kube::Resource& resource = kind.resource;
  std::vector<controller::PolicyRule> rules = {{{resource.group}, {resource.plural}, helper.verbs}};
  if (kind.has_scale) rules.push_back({{resource.group}, {resource.plural + "/scale"}, helper.scale_verbs});
  rules.push_back({{resource.group}, {resource.plural + "/status"}, {"get"}});
  const std::string name = short_name + "-" + std::string(helper.name) + "-role";
  return "# For people who work with " + resource.qualified_plural() + "; the manager does not use it.\n" +
         std::string(helper.explanation) + cluster_role(name, operator_name.text(), rules);
}

std::vector<GeneratedFile> helper_roles(const std::vector<controller::Definition>& definitions,
                                        const kube::OperatorName& name) {
  std::vector<GeneratedFile> files;
  const auto kinds = controller::kinds_of(definitions);
  for (const kube::Kind& kind : kinds) {
    const auto of_kind = short_name(kind, kinds);
    for (const Helper& helper : helpers()) {
      files.push_back({"rbac/" + of_kind + "_" + std::string(helper.name) + "_role.yaml",
                       helper_role(helper, kind, of_kind, name)});
    }
  }
  std::ranges::sort(files, [](const auto& left, const auto& right) { return left.path < right.path; });
  return files;
}

}  // namespace

void generate_rbac(const Declarations& declared, std::vector<GeneratedFile>& out) {
  const auto& definitions = declared.controllers;
  const auto& name = declared.name;
  std::string kustomization(kKustomizationHead);
  if (!controller::webhooks_of(definitions, declared.webhooks).empty()) {
    kustomization += kCertificateRoleLine;
    out.push_back({"rbac/webhook_certificate_role.yaml", webhook_certificate_role(name)});
  }
  auto helpers = helper_roles(definitions, name);
  if (!helpers.empty()) kustomization += kHelpersLine;
  for (GeneratedFile& role : helpers) {
    kustomization += "- " + role.path.substr(std::string_view("rbac/").size()) + "\n";
    out.push_back(std::move(role));
  }
  out.push_back({"rbac/kustomization.yaml", std::move(kustomization)});
  out.push_back(
      {"rbac/role.yaml",
       "---\n" + cluster_role("manager-role", "", controller::manager_rules(definitions, declared.permissions))});
  for (GeneratedFile& role : fixed_roles(name)) out.push_back(std::move(role));
}

}  // namespace keelson::program
