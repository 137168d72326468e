// config/, kustomize/ and deploy/: every way to render them, and the real API server's replies to the results.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"
#include "test/support/text_parts.hpp"

namespace keelson::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = KEELSON_SOURCE_DIR;
const std::string kDefault = "config/default/kustomization.yaml";

// The folders of the whole tree, except for components, which do not render by themselves.
std::vector<fs::path> kustomizations() {
  std::vector<fs::path> folders;
  for (const char* root : {"config", "kustomize"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kSource / root)) {
      if (entry.path().filename() != "kustomization.yaml") continue;
      if (!contains(read_file(entry.path().string()), "kind: Component")) folders.push_back(entry.path().parent_path());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

std::vector<fs::path> overlays() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(kSource / "kustomize")) {
    if (fs::exists(entry.path() / "kustomization.yaml")) folders.push_back(entry.path());
  }
  return folders;
}

// Groups of alerts have names that are not names of objects.
std::string without_names_of_alerts(std::string rendered) {
  const std::string group = "\n  - name: keelson-";
  for (auto at = rendered.find(group); at != std::string::npos; at = rendered.find(group)) {
    rendered.erase(at, group.size());
  }
  return rendered;
}

// A kustomization of these components, in a copy of the tree.
Output combine(const TreeCopy& tree, const std::vector<std::string>& components) {
  std::string text = "resources:\n- ../../config/default\n\ncomponents:\n";
  for (const auto& component : components) text += "- ../components/" + component + "\n";
  tree.write("kustomize/mine/kustomization.yaml", text);
  return kustomize(tree.path() / "kustomize/mine");
}

// The kinds of other projects that overlays use, reduced to their names.
std::string stand_in(const std::string& group, const std::string& kind, const std::string& plural) {
  return "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " + plural + "." +
         group + "}\nspec:\n  group: " + group + "\n  scope: Namespaced\n  names: {kind: " + kind +
         ", plural: " + plural +
         "}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: {openAPIV3Schema: {type: "
         "object, "
         "x-kubernetes-preserve-unknown-fields: true}}\n";
}

// The objects that dry runs need in the cluster: a dry run creates no namespace or kind that the next object could use.
class Prerequisites {
 public:
  Prerequisites() {
    kubectl({"apply", "-f", "-"}, kinds_);
    kubectl({"apply", "-f", "-"},
            "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: keelson-system\n  labels:\n"
            "    pod-security.kubernetes.io/enforce: restricted\n    pod-security.kubernetes.io/warn: restricted\n");
    wait_for_crds();
  }
  Prerequisites(const Prerequisites&) = delete;
  Prerequisites& operator=(const Prerequisites&) = delete;
  ~Prerequisites() {
    (void)try_kubectl({"delete", "namespace", "keelson-system"});
    (void)try_kubectl({"delete", "-f", "-"}, kinds_);
  }

 private:
  const std::string kinds_ = stand_in("monitoring.coreos.com", "ServiceMonitor", "servicemonitors") +
                             stand_in("monitoring.coreos.com", "PrometheusRule", "prometheusrules") +
                             stand_in("cert-manager.io", "Certificate", "certificates") +
                             stand_in("cert-manager.io", "Issuer", "issuers");
};

void check_dry_run(const fs::path& folder) {
  const auto output = pipe_into_kubectl(folder, "apply --dry-run=server --validate=strict -f - 2>&1");
  INFO(folder << ": " << output.text);
  CHECK(output.exit_code == 0);
  CHECK_FALSE(contains(output.text, "Warning"));
}

}  // namespace

TEST_CASE("kustomize and kubectl render every folder to the same text, without warnings") {
  const auto folders = kustomizations();
  REQUIRE(folders.size() > overlays().size());
  for (const auto& folder : folders) {
    INFO(folder);
    const auto rendered = render(folder);
    const auto with_kubectl = try_kubectl({"kustomize", folder.string()});
    CHECK_FALSE(rendered.empty());
    CHECK(with_kubectl.text == rendered);
  }
}

TEST_CASE("deploy/install.yaml is the rendered config/default; if not, run `make build-installer`") {
  const bool is_fresh = read_file((kSource / "deploy/install.yaml").string()) == render(kSource / "config/default");

  CHECK(is_fresh);
}

TEST_CASE("switches in config/default have the effect of the overlays") {
  TreeCopy tree;
  SECTION("[CERTMANAGER] and [METRICS-WITH-CERTS]") {
    tree.switch_off(kDefault, "SELF-SIGNED");
    for (const char* tag : {"WITHOUT SELF-SIGNED", "CERTMANAGER", "METRICS-WITH-CERTS"}) tree.switch_on(kDefault, tag);
    CHECK(render(tree.path() / "config/default") == render(kSource / "kustomize/cert-manager"));
  }
  SECTION("[PROMETHEUS]") {
    tree.switch_on(kDefault, "PROMETHEUS");
    CHECK(render(tree.path() / "config/default") == render(kSource / "kustomize/prometheus"));
  }
  SECTION("[NETWORK POLICY]") {
    tree.switch_on(kDefault, "NETWORK POLICY");
    CHECK(render(tree.path() / "config/default") == render(kSource / "kustomize/network-policy"));
  }
  SECTION("[PROMETHEUS-WITH-CERTS]") {
    tree.switch_off(kDefault, "SELF-SIGNED");
    for (const char* tag :
         {"WITHOUT SELF-SIGNED", "CERTMANAGER", "METRICS-WITH-CERTS", "PROMETHEUS", "PROMETHEUS-WITH-CERTS"}) {
      tree.switch_on(kDefault, tag);
    }
    tree.switch_on("config/prometheus/kustomization.yaml", "PROMETHEUS-WITH-CERTS");
    const auto switched = render(tree.path() / "config/default");
    CHECK(contains(switched, "serverName: keelson-controller-manager-metrics-service.keelson-system.svc\n"));
    TreeCopy other;
    CHECK(switched == combine(other, {"prometheus", "cert-manager", "metrics-certificate"}).text);
  }
}

TEST_CASE("metrics and webhooks can be switched off in config/default") {
  TreeCopy tree;
  const auto before = render(tree.path() / "config/default");
  tree.switch_off(kDefault, "METRICS");
  const auto without_metrics = render(tree.path() / "config/default");
  tree.switch_off(kDefault, "WEBHOOK");
  tree.switch_off(kDefault, "SELF-SIGNED");
  tree.switch_on(kDefault, "WITHOUT SELF-SIGNED");
  const auto without_either = render(tree.path() / "config/default");

  CHECK(contains(before, "name: kube-rbac-proxy\n"));
  CHECK_FALSE(contains(without_metrics, "name: kube-rbac-proxy\n"));
  CHECK(contains(without_metrics, "--webhook-service-name=keelson-webhook-service\n"));
  CHECK_FALSE(contains(without_either, "webhook"));
  CHECK(contains(without_either, "- args:\n        - --leader-elect\n"));
}

TEST_CASE("components combine in any order, and those that exclude each other do not render") {
  TreeCopy tree;
  const auto one = combine(tree, {"native-metrics", "cert-manager", "prometheus", "native-metrics-certificate",
                                  "network-policy", "ha", "debug"});
  const auto other = combine(tree, {"debug", "ha", "network-policy", "prometheus", "cert-manager", "native-metrics",
                                    "native-metrics-certificate"});
  for (const auto* output : {&one, &other}) {
    INFO(output->text);
    CHECK(output->exit_code == 0);
    CHECK(contains(output->text, "- --metrics-cert-path=/tmp/k8s-metrics-server/metrics-certs\n"));
    CHECK(contains(output->text, "- --webhook-cert-path=/tmp/k8s-webhook-server/serving-certs\n"));
    CHECK(contains(output->text, "insecureSkipVerify: false\n"));
    CHECK_FALSE(contains(output->text, "kube-rbac-proxy"));
    CHECK_FALSE(contains(output->text, "--webhook-self-signed\n"));
    CHECK_FALSE(contains(output->text, ": self-signed\n"));
  }
  CHECK(combine(tree, {"namespaced", "native-metrics", "prometheus", "ha"}).exit_code == 0);
  CHECK(combine(tree, {"ha", "native-metrics", "namespaced"}).exit_code == 0);

  CHECK(combine(tree, {"namespaced", "cert-manager"}).exit_code != 0);
  CHECK(combine(tree, {"cert-manager", "namespaced"}).exit_code != 0);
  CHECK(combine(tree, {"native-metrics", "cert-manager", "metrics-certificate"}).exit_code != 0);
  CHECK(combine(tree, {"cert-manager", "metrics-certificate", "native-metrics"}).exit_code != 0);
}

TEST_CASE("another namespace and another prefix change every name") {
  TreeCopy tree;
  for (const auto& file : {kDefault, std::string("kustomize/components/names/kustomization.yaml")}) {
    tree.replace(file, "namespace: keelson-system\n", "namespace: elsewhere\n");
    tree.replace(file, "namePrefix: keelson-\n", "namePrefix: your-own-\n");
  }
  for (const auto& overlay : overlays()) {
    INFO(overlay);
    const auto rendered = render(tree.path() / "kustomize" / overlay.filename());
    CHECK_FALSE(contains(without_names_of_alerts(rendered), "keelson-"));
    CHECK(contains(rendered, "namespace: elsewhere\n"));
  }
  const auto webhooks = render(tree.path() / "config/default");
  CHECK(contains(webhooks, "- --webhook-service-name=your-own-webhook-service\n"));
  CHECK(contains(webhooks, "- --webhook-secret=your-own-webhook-server-cert\n"));
  CHECK(contains(webhooks, "- --webhook-mutating-configuration=your-own-mutating-webhook-configuration\n"));
  CHECK(contains(webhooks, "  resourceNames:\n  - your-own-validating-webhook-configuration\n"));
}

TEST_CASE("the roles that native-metrics adds are those of config/rbac") {
  const fs::path copies = kSource / "kustomize/components/native-metrics/resources";
  for (const char* file : {"metrics_auth_role.yaml", "metrics_auth_role_binding.yaml"}) {
    INFO(file);
    CHECK(read_file((copies / file).string()) == read_file((kSource / "config/rbac" / file).string()));
  }
}

TEST_CASE("the API server accepts every overlay, also under the restricted Pod Security profile") {
  Prerequisites prerequisites;
  check_dry_run(kSource / "config/default");
  for (const auto& overlay : overlays()) check_dry_run(overlay);
  TreeCopy tree;
  (void)combine(tree, {"native-metrics", "cert-manager", "prometheus", "native-metrics-certificate", "network-policy",
                       "ha", "debug"});
  check_dry_run(tree.path() / "kustomize/mine");
}

}  // namespace keelson::testing
