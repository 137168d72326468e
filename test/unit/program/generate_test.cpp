#include "src/program/commands/generate.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <sstream>
#include <string>

#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "test/support/temporary_folder.hpp"

namespace {

using namespace keelson;
using controller::Definition;
using controller::PolicyRule;
using program::GeneratedFile;
using Words = std::vector<std::string>;

kube::Kind kind_of(std::string group, std::string kind, std::string plural) {
  kube::Kind out;
  out.resource = kube::Resource(group, "v1", kind, plural);
  out.singular = plural.substr(0, plural.size() - 1);
  out.spec_schema = R"({"type":"object"})";
  out.status_schema = R"({"type":"object"})";
  out.sample = "kind: " + kind + "\n";
  return out;
}

Definition widgets() {
  Definition definition = controller::define(kind_of("shop.example.com", "Widget", "widgets"));
  definition.owns(kube::deployments());
  definition.rbac({"apps", "deployments", {"create", "patch"}});
  return definition;
}

Definition gadgets() {
  Definition definition = controller::define(kind_of("shop.example.com", "Gadget", "gadgets"));
  definition.owns(kube::services());
  definition.owns(kube::pods());
  return definition;
}

struct GizmoSpec {};
void describe(kube::Description&, GizmoSpec&) {}

Definition gizmos() {
  Definition definition = controller::define(kind_of("shop.example.com", "Gizmo", "gizmos"));
  definition.with_defaulter<GizmoSpec>([](controller::Context&) { return nullptr; });
  definition.with_validator<GizmoSpec>([](controller::Context&) { return nullptr; });
  return definition;
}

std::string content_of(const std::vector<GeneratedFile>& files, std::string_view path) {
  const auto found = std::ranges::find_if(files, [&](const auto& file) { return file.path == path; });
  return found == files.end() ? "" : found->content;
}

Words paths_of(std::string_view what) {
  const auto files = program::generate(what, {widgets(), gadgets()});
  REQUIRE(files);
  Words paths;
  for (const GeneratedFile& file : *files) paths.push_back(file.path);
  return paths;
}

struct Ran {
  int code = 0;
  std::string out;
  std::string errors;
};

Ran run(const Words& arguments) {
  std::ostringstream out;
  std::ostringstream errors;
  const int code = program::generate_command("manager", arguments, {{widgets()}}, out, errors);
  return {code, out.str(), errors.str()};
}

}  // namespace

TEST_CASE("each part has kubebuilder's files") {
  CHECK(paths_of("crd") == Words{"crd/bases/shop.example.com_gadgets.yaml", "crd/bases/shop.example.com_widgets.yaml",
                                 "crd/kustomization.yaml"});
  CHECK(paths_of("samples") ==
        Words{"samples/kustomization.yaml", "samples/shop_v1_gadget.yaml", "samples/shop_v1_widget.yaml"});
  CHECK(paths_of("rbac") ==
        Words{"rbac/gadget_admin_role.yaml", "rbac/gadget_editor_role.yaml", "rbac/gadget_viewer_role.yaml",
              "rbac/kustomization.yaml", "rbac/leader_election_role.yaml", "rbac/leader_election_role_binding.yaml",
              "rbac/metrics_auth_role.yaml", "rbac/metrics_auth_role_binding.yaml", "rbac/metrics_reader_role.yaml",
              "rbac/proxy_role.yaml", "rbac/proxy_role_binding.yaml", "rbac/role.yaml", "rbac/role_binding.yaml",
              "rbac/service_account.yaml", "rbac/widget_admin_role.yaml", "rbac/widget_editor_role.yaml",
              "rbac/widget_viewer_role.yaml"});
  CHECK(paths_of("all").size() == 23);
}

TEST_CASE("a kind that a controller also defines has its CRD, sample and roles, but no permissions for the manager") {
  auto definition = widgets().also_defines(kind_of("shop.example.com", "Gadget", "gadgets"));

  const auto files = program::generate("all", {definition});

  REQUIRE(files);
  CHECK(content_of(*files, "crd/kustomization.yaml").find("- bases/shop.example.com_gadgets.yaml\n") !=
        std::string::npos);
  CHECK(content_of(*files, "samples/shop_v1_gadget.yaml") == "kind: Gadget\n");
  CHECK(content_of(*files, "rbac/gadget_viewer_role.yaml").find("name: gadget-viewer-role\n") != std::string::npos);
  CHECK(content_of(*files, "rbac/role.yaml").find("gadgets") == std::string::npos);
}

TEST_CASE("webhooks are registered as kubebuilder registers them, with the server's default scope and no CA") {
  const auto files = program::generate("webhook", {widgets(), gizmos()});
  REQUIRE(files);

  REQUIRE(files->size() == 1);
  const std::string webhook = R"(- admissionReviewVersions:
  - v1
  clientConfig:
    service:
      name: webhook-service
      namespace: system
      path: /mutate-shop-example-com-v1-gizmo
  failurePolicy: Fail
  name: mgizmo-v1.kb.io
  rules:
  - apiGroups:
    - shop.example.com
    apiVersions:
    - v1
    operations:
    - CREATE
    - UPDATE
    resources:
    - gizmos
    scope: '*'
  sideEffects: None
)";
  const auto content = content_of(*files, "webhook/manifests.yaml");
  CHECK(
      content.starts_with("---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n"
                          "metadata:\n  name: mutating-webhook-configuration\nwebhooks:\n" +
                          webhook + "---\n"));
  CHECK(content.find("kind: ValidatingWebhookConfiguration\nmetadata:\n  name: validating-webhook-configuration\n") !=
        std::string::npos);
  CHECK(content.find("      path: /validate-shop-example-com-v1-gizmo\n") != std::string::npos);
  CHECK(content.find("  name: vgizmo-v1.kb.io\n") != std::string::npos);
  CHECK(content.find("caBundle") == std::string::npos);
}

TEST_CASE("without defaulters there is no mutating configuration, and without validators no validating one") {
  auto defaulted = widgets();
  defaulted.with_defaulter<GizmoSpec>([](controller::Context&) { return nullptr; });
  auto validated = widgets();
  validated.with_validator<GizmoSpec>([](controller::Context&) { return nullptr; });

  const auto mutating = program::generate("webhook", {defaulted});
  const auto validating = program::generate("webhook", {validated});

  REQUIRE(mutating);
  REQUIRE(validating);
  const auto has = [](const auto& files, std::string_view kind) {
    return content_of(*files, "webhook/manifests.yaml").find(kind) != std::string::npos;
  };
  CHECK(has(mutating, "kind: MutatingWebhookConfiguration\n"));
  CHECK_FALSE(has(mutating, "kind: ValidatingWebhookConfiguration\n"));
  CHECK_FALSE(has(validating, "kind: MutatingWebhookConfiguration\n"));
  CHECK(has(validating, "kind: ValidatingWebhookConfiguration\n"));
}

TEST_CASE("the permissions for self-signed certificates are in a file of their own if there are webhooks") {
  const auto without = program::generate("rbac", {widgets()});
  const auto with = program::generate("rbac", {gizmos()});
  REQUIRE(with);

  CHECK(content_of(*without, "rbac/webhook_certificate_role.yaml").empty());
  CHECK(content_of(*without, "rbac/kustomization.yaml").find("webhook") == std::string::npos);
  CHECK(content_of(*with, "rbac/webhook_certificate_role.yaml").find("- keelson-webhook-server-cert\n") !=
        std::string::npos);
  CHECK(content_of(*with, "rbac/kustomization.yaml").find("\n- webhook_certificate_role.yaml\n") != std::string::npos);
  CHECK(content_of(*with, "rbac/role.yaml").find("admissionregistration") == std::string::npos);
}

TEST_CASE("the default protection of /metrics has its permissions, and no client may read metrics by default") {
  const auto files = program::generate("rbac", {widgets()});
  REQUIRE(files);
  const std::string list = content_of(*files, "rbac/kustomization.yaml");

  CHECK(list.find("\n- proxy_role.yaml\n- proxy_role_binding.yaml\n") != std::string::npos);
  CHECK(list.find("\n#- metrics_auth_role.yaml\n#- metrics_auth_role_binding.yaml\n") != std::string::npos);
  CHECK(list.find("\n- metrics_reader_role.yaml\n") != std::string::npos);
  for (const auto& file : *files) {
    CAPTURE(file.path);
    const bool binds = file.content.find("Binding\n") != std::string::npos;
    CHECK_FALSE((binds && file.content.find("metrics-reader") != std::string::npos));
  }
}

TEST_CASE("a kustomization names every file of its folder") {
  const auto files = program::generate("all", {widgets(), gadgets()});
  REQUIRE(files);

  for (const GeneratedFile& file : *files) {
    if (file.path.ends_with("kustomization.yaml")) continue;
    const std::string folder = file.path.substr(0, file.path.find('/'));
    CAPTURE(file.path);
    CHECK(content_of(*files, folder + "/kustomization.yaml").find("- " + file.path.substr(folder.size() + 1) + "\n") !=
          std::string::npos);
  }
}

TEST_CASE("a kind without a sample of its own gets one that follows from its schema") {
  kube::Kind kind = kind_of("shop.example.com", "Widget", "widgets");
  kind.sample.clear();
  kind.spec_schema = R"({"type":"object","required":["size"],"properties":{"size":{"type":"integer"}}})";

  const auto samples = program::generate("samples", {controller::define(kind)});

  REQUIRE(samples);
  REQUIRE(samples->size() == 2);
  CHECK(samples->back().content.ends_with("spec:\n  size: 1\n"));
}

TEST_CASE("without a sample there is no samples folder, because kubectl rejects an empty one") {
  kube::Kind kind = kind_of("shop.example.com", "Widget", "widgets");
  kind.sample.clear();
  kind.spec_schema =
      R"({"type":"object","required":["size"],"properties":{"size":{"type":"string","pattern":"^[a-z]$"}}})";

  const auto all = program::generate("all", {controller::define(kind)});
  const auto samples = program::generate("samples", {controller::define(kind)});

  REQUIRE(all);
  CHECK_FALSE(all->empty());
  CHECK(std::ranges::none_of(*all, [](const auto& file) { return file.path.starts_with("samples/"); }));
  REQUIRE(samples);
  CHECK(samples->empty());
}

TEST_CASE("an unknown part is rejected") {
  const auto files = program::generate("everything", {widgets()});

  REQUIRE_FALSE(files);
  CHECK(files.error().text ==
        "cannot generate \"everything\": use crd, rbac, samples, webhook, all or kube-state-metrics");
}

TEST_CASE("two kinds with the same name in different groups have files and roles of their own") {
  const auto other = controller::define(kind_of("shop.other.org", "Widget", "widgets")).named("other-widget");
  const auto third = controller::define(kind_of("depot.example.com", "Widget", "widgets")).named("depot-widget");

  const auto files = program::generate("all", {widgets(), other, third});

  REQUIRE(files);
  for (const auto* path : {"crd/bases/shop.example.com_widgets.yaml", "crd/bases/shop.other.org_widgets.yaml",
                           "samples/shop.example.com_v1_widget.yaml", "samples/shop.other.org_v1_widget.yaml",
                           "samples/depot_v1_widget.yaml", "rbac/shop.example.com-widget_admin_role.yaml",
                           "rbac/shop.other.org-widget_admin_role.yaml", "rbac/depot-widget_admin_role.yaml"}) {
    INFO(path);
    CHECK_FALSE(content_of(*files, path).empty());
  }
  CHECK(content_of(*files, "rbac/depot-widget_admin_role.yaml").find("name: depot-widget-admin-role\n") !=
        std::string::npos);
}

TEST_CASE("webhooks of two kinds with the same name have names of their own") {
  auto other = controller::define(kind_of("shop.other.org", "Gizmo", "gizmos")).named("other-gizmo");
  other.with_validator<GizmoSpec>([](controller::Context&) { return nullptr; });

  const auto files = program::generate("webhook", {gizmos(), other});

  REQUIRE(files);
  const auto manifests = content_of(*files, "webhook/manifests.yaml");
  CHECK(manifests.find("name: mgizmo-v1.kb.io\n") != std::string::npos);
  CHECK(manifests.find("name: vgizmo-v1.shop.example.com.kb.io\n") != std::string::npos);
  CHECK(manifests.find("name: vgizmo-v1.shop.other.org.kb.io\n") != std::string::npos);
  CHECK(manifests.find("name: vgizmo-v1.kb.io\n") == std::string::npos);
}

TEST_CASE("two controllers of a kind generate its files once") {
  const auto second = controller::define(kind_of("shop.example.com", "Widget", "widgets")).named("widget-backup");

  const auto one = program::generate("crd", {widgets()});
  const auto two = program::generate("crd", {widgets(), second});

  REQUIRE(two);
  CHECK(*two == *one);
  CHECK(program::generate("all", {widgets(), second}));
}

TEST_CASE("labels and names of objects are those of the operator") {
  const kube::OperatorName greeter("greeter");

  const auto files = program::generate("rbac", {gizmos()}, greeter);

  REQUIRE(files);
  for (const auto& file : *files) {
    INFO(file.path);
    CHECK(file.content.find("keelson") == std::string::npos);
    CHECK(file.content.find("{name}") == std::string::npos);
  }
  CHECK(content_of(*files, "rbac/service_account.yaml").find("app.kubernetes.io/name: greeter\n") != std::string::npos);
  CHECK(content_of(*files, "rbac/gizmo_viewer_role.yaml").find("app.kubernetes.io/name: greeter\n") !=
        std::string::npos);
  const auto role = content_of(*files, "rbac/webhook_certificate_role.yaml");
  CHECK(role.find("- greeter-webhook-server-cert\n") != std::string::npos);
  CHECK(role.find("- greeter-mutating-webhook-configuration\n") != std::string::npos);
  CHECK(role.find("- greeter-validating-webhook-configuration\n") != std::string::npos);
}

TEST_CASE("the manager's rules are merged and sorted as controller-gen does") {
  const auto rules = controller::manager_rules({widgets(), gadgets()});

  CHECK(rules == std::vector<PolicyRule>{
                     {{""}, {"pods", "services"}, {"list", "watch"}},
                     {{"", "events.k8s.io"}, {"events"}, {"create", "patch"}},
                     {{"apps"}, {"deployments"}, {"create", "list", "patch", "watch"}},
                     {{"shop.example.com"}, {"gadgets", "widgets"}, {"list", "watch"}},
                     {{"shop.example.com"}, {"gadgets/finalizers", "widgets/finalizers"}, {"update"}},
                     {{"shop.example.com"}, {"gadgets/status", "widgets/status"}, {"patch"}},
                 });
}

TEST_CASE("the Role for leader election has the rules that simulated replicas have") {
  std::string text;
  const auto files = program::generate("rbac", {widgets()});
  REQUIRE(files);
  for (const auto& file : *files) {
    if (file.path == "rbac/leader_election_role.yaml") text = file.content;
  }
  const auto role = json::Document::parse(*json::yaml_to_json(text));
  REQUIRE(role);
  auto words = [](json::View list) {
    Words all;
    for (auto one : list.items()) all.emplace_back(*one.string());
    return all;
  };

  std::vector<PolicyRule> rules;
  for (auto rule : role->root().find("rules").items()) {
    rules.push_back({words(rule.find("apiGroups")), words(rule.find("resources")), words(rule.find("verbs"))});
  }

  CHECK(rules == controller::leader_election_rules());
}

TEST_CASE("a permission that is declared twice is granted once") {
  Definition definition = widgets();
  definition.rbac({"apps", "deployments", {"patch", "list"}});

  CHECK(controller::manager_rules({definition, widgets()}) == controller::manager_rules({widgets()}));
}

TEST_CASE("a helper role grants its verbs, and the scale subresource where there is one") {
  kube::Kind kind = kind_of("shop.example.com", "Widget", "widgets");
  kind.has_scale = true;

  const auto files = program::generate("rbac", {controller::define(kind)});

  REQUIRE(files);
  CHECK(content_of(*files, "rbac/widget_viewer_role.yaml") ==
        R"(# For people who work with widgets.shop.example.com; the manager does not use it.
# Reads objects, for users who monitor them.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels:
    app.kubernetes.io/name: keelson
    app.kubernetes.io/managed-by: kustomize
  name: widget-viewer-role
rules:
- apiGroups:
  - shop.example.com
  resources:
  - widgets
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - shop.example.com
  resources:
  - widgets/scale
  verbs:
  - get
- apiGroups:
  - shop.example.com
  resources:
  - widgets/status
  verbs:
  - get
)");
}

TEST_CASE("the command writes and prints each file, and does not write files that are up to date") {
  const testing::TemporaryFolder folder;
  const std::string output = folder.path().string();

  const Ran first = run({"samples", "--output", output});
  const Ran second = run({"samples", "-output=" + output});

  CHECK(first.code == 0);
  CHECK(first.out.find("written    " + output + "/samples/shop_v1_widget.yaml\n") != std::string::npos);
  CHECK(second.out.find("unchanged  " + output + "/samples/shop_v1_widget.yaml\n") != std::string::npos);
  CHECK(folder.read("samples/shop_v1_widget.yaml") == "kind: Widget\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "samples/shop_v1_widget.yaml.new"));
}

TEST_CASE("a line that a user added to a kustomization.yaml survives the command") {
  const testing::TemporaryFolder folder;
  const std::string output = folder.path().string();
  std::filesystem::create_directories(folder.path() / "samples");
  folder.write("samples/kustomization.yaml", "resources:\n- mine.yaml\n");

  const Ran ran = run({"samples", "--output", output});

  CHECK(ran.code == 0);
  CHECK(folder.read("samples/kustomization.yaml") == "resources:\n- mine.yaml\n- shop_v1_widget.yaml\n");
}

TEST_CASE("a validator is registered for deletes if its definition requests it") {
  auto definition = gizmos().validates_deletes();

  const auto files = program::generate("webhook", {definition});

  REQUIRE(files);
  const auto content = content_of(*files, "webhook/manifests.yaml");
  const auto validating = content.find("kind: ValidatingWebhookConfiguration");
  CHECK(content.find("- DELETE\n") > validating);
  CHECK(content.rfind("- DELETE\n") == content.find("- DELETE\n"));
}

TEST_CASE("an invalid command line prints the reason and exits with 2") {
  CHECK(run({"--output", "x"}).errors ==
        "the argument is missing: crd, rbac, samples, webhook, all or kube-state-metrics\n"
        "Run 'manager generate --help' for usage.\n");
  CHECK(run({"all"}).errors.starts_with("--output DIR is missing\n"));
  CHECK(run({"all", "--output"}).errors.starts_with("flag needs an argument: -output\n"));
  CHECK(run({"all", "--force"}).errors.starts_with("flag provided but not defined: -force\n"));
  CHECK(run({"all", "more", "--output", "x"}).errors.starts_with("unexpected argument \"more\"\n"));
  CHECK(run({"most", "--output", "x"}).code == 2);
  CHECK(run({"most", "--output", "x"})
            .errors.starts_with(
                "cannot generate \"most\": use crd, rbac, samples, webhook, all or kube-state-metrics\n"));
}

TEST_CASE("the command prints its usage on request and exits with 0") {
  for (const Words& words : {Words{"all", "--help"}, Words{"--help"}, Words{"-h"}, Words{"-help"}}) {
    const Ran ran = run(words);

    CHECK(ran.out.starts_with("Usage: manager generate "));
    CHECK(ran.errors.empty());
    CHECK(ran.code == 0);
  }
}

TEST_CASE("an unwritable folder is an error that names the file") {
  const Ran ran = run({"samples", "--output", "/dev/null"});

  CHECK(ran.code == 1);
  CHECK(ran.errors.starts_with("write /dev/null/samples/"));
}

TEST_CASE("kube-state-metrics gets the conditions and the top-level numbers, booleans and times of a kind") {
  auto kind = kind_of("shop.example.com", "Widget", "widgets");
  kind.spec_schema =
      R"({"type":"object","properties":{"maxSize":{"type":"integer"},"color":{"type":"string"},"paint":{"type":"boolean"}}})";
  kind.status_schema =
      R"({"type":"object","properties":{"lastPaintTime":{"type":"string","format":"date-time"},"share":{"type":"number"},"items":{"type":"array"}}})";
  auto definition = controller::define(kind).sets_conditions({"Ready"});

  const auto files = program::generate("kube-state-metrics", {definition, gadgets()}, kube::OperatorName("my-shop"));

  REQUIRE(files);
  REQUIRE(files->size() == 1);
  const auto content = content_of(*files, "kube-state-metrics.yaml");
  CHECK(content.find("metricNamePrefix: my_shop_widget\n") != std::string::npos);
  CHECK(content.find("resourcePlural: widgets\n") != std::string::npos);
  for (const auto* name : {"info", "metadata_generation", "status_condition", "spec_max_size", "spec_paint",
                           "status_last_paint_time", "status_share"}) {
    INFO(name);
    CHECK(content.find("- name: " + std::string(name) + "\n") != std::string::npos);
  }
  CHECK(content.find("color") == std::string::npos);
  CHECK(content.find("items") == std::string::npos);
  CHECK(content.find("Gadget") == std::string::npos);  // its controller sets no conditions
}

TEST_CASE("`all` writes the kustomize tree, without the file for kube-state-metrics") {
  const auto files = program::generate(
      "all", {controller::define(kind_of("shop.example.com", "Widget", "widgets")).sets_conditions({"Ready"})});

  REQUIRE(files);
  CHECK(content_of(*files, "kube-state-metrics.yaml").empty());
}

TEST_CASE("without conditions there is no file for kube-state-metrics") {
  const auto files = program::generate("kube-state-metrics", {widgets()});

  REQUIRE(files);
  CHECK(files->empty());
}
