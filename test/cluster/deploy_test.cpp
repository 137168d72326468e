// Deploying and undeploying: a single pipe into an empty cluster, `make deploy`, `make undeploy`, and no objects left.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"
#include "test/support/text_parts.hpp"

namespace keelson::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = KEELSON_SOURCE_DIR;
constexpr const char* kSystem = "keelson-system";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Output undeploy(const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> command{(kSource / "scripts/undeploy").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

// A cluster without the manager and its kinds, before a test and after it.
class BareCluster {
 public:
  BareCluster() { clear(); }
  BareCluster(const BareCluster&) = delete;
  BareCluster& operator=(const BareCluster&) = delete;
  ~BareCluster() { (void)undeploy({"--ignore-not-found"}); }

 private:
  static void clear() {
    const auto output = undeploy({"--ignore-not-found"});
    INFO(output.text);
    REQUIRE(output.exit_code == 0);
  }
};

// "memcacheds.cache.example.com,pods,…": all kinds that can be listed, except Events.
std::string kinds_of(const std::string& api_resources) {
  std::string kinds;
  for (const auto& kind : lines_of(api_resources)) {
    if (kind.starts_with("events")) continue;
    kinds += (kinds.empty() ? "" : ",") + kind;
  }
  return kinds;
}

// The width of a column depends on its other cells.
std::string without_padding(const std::string& line) {
  std::istringstream words(line);
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

// "Kind namespace name" of every object except Events. For a moment discovery still has kinds that were just deleted.
std::set<std::string> objects_in_cluster() {
  std::set<std::string> objects;
  eventually("all objects are listed", [&] {
    const auto known = try_kubectl({"api-resources", "--verbs=list,delete", "-o", "name"});
    if (known.exit_code != 0) return false;
    const auto listed = try_kubectl({"get", kinds_of(known.text), "--all-namespaces", "--no-headers", "-o",
                                     "custom-columns=KIND:.kind,NAMESPACE:.metadata.namespace,NAME:.metadata.name"});
    objects.clear();
    for (const auto& line : lines_of(listed.text)) objects.insert(without_padding(line));
    return listed.exit_code == 0;
  });
  return objects;
}

// The objects that exist now and did not exist before, a line each.
std::string more_than(const std::set<std::string>& before) {
  std::string more;
  for (const auto& object : objects_in_cluster()) {
    if (!before.contains(object)) more += object + "\n";
  }
  return more;
}

// The resourceVersion of each object of config/default, a line each.
std::string versions() {
  const auto output = pipe_into_kubectl(
      kSource / "config/default",
      R"(get -o jsonpath='{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\n"}{end}' -f -)");
  INFO(output.text);
  REQUIRE(output.exit_code == 0);
  return output.text;
}

void wait_until_it_stands() {
  kubectl({"wait", "--for=condition=Established", "crd", "--all", "--timeout=180s"});
  kubectl({"rollout", "status", "deployment/keelson-controller-manager", "-n", kSystem, "--timeout=180s"});
}

void check_that_a_second_apply_changes_nothing() {
  const auto before = versions();
  const auto again = pipe_into_kubectl(kSource / "config/default", "apply -f - 2>&1");
  CHECK(again.exit_code == 0);
  for (const auto& line : lines_of(again.text)) {
    INFO(line);
    CHECK(line.ends_with(" unchanged"));
  }
  CHECK(versions() == before);
}

// A PATH without kustomize: the folders of PATH that have none, and a link to the kubectl that is next to one.
class PathWithoutKustomize {
 public:
  explicit PathWithoutKustomize(const fs::path& folder) : text_((folder / "bin").string()) {
    fs::create_directory(folder / "bin");
    std::istringstream entries(std::getenv("PATH"));
    bool has_kubectl = false;
    for (std::string entry; std::getline(entries, entry, ':');) {
      const auto kubectl_here = fs::path(entry) / "kubectl";
      if (!has_kubectl && fs::exists(kubectl_here)) {
        fs::create_symlink(kubectl_here, folder / "bin/kubectl");
        has_kubectl = true;
      }
      if (!fs::exists(fs::path(entry) / "kustomize")) text_ += ":" + entry;
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

Output make(const TreeCopy& tree, const std::string& path, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"env", "PATH=" + path, "make", "-C", tree.path().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

void check_make_deploys_and_undeploys(const TreeCopy& tree, const std::string& path) {
  const auto before = objects_in_cluster();

  const auto deployed = make(tree, path, {"deploy", "IMG=registry.example.com:5000/keelson:v7"});
  INFO(deployed.text);
  REQUIRE(deployed.exit_code == 0);
  const auto manager = get("deployment", "keelson-controller-manager", kSystem);
  CHECK(manager.root().at({"spec", "template", "spec", "containers"}).item(0).find("image").string() ==
        "registry.example.com:5000/keelson:v7");
  wait_until_it_stands();
  CHECK_FALSE(more_than(before).empty());

  const auto undeployed = make(tree, path, {"undeploy"});
  INFO(undeployed.text);
  CHECK(undeployed.exit_code == 0);
  eventually("nothing is left", [&] { return more_than(before).empty(); });

  const auto again = make(tree, path, {"undeploy"});
  CHECK(again.exit_code != 0);
  CHECK(contains(again.text, "NotFound"));
  CHECK(make(tree, path, {"undeploy", "ignore-not-found=true"}).exit_code == 0);
}

// Acts as a pod's service account.
std::string user_with_token() {
  auto token = kubectl({"create", "token", "keelson-controller-manager", "-n", kSystem});
  return R"({"token":")" + token.substr(0, token.find('\n')) + "\"}";
}

}  // namespace

TEST_CASE("config/default is applied to an empty cluster with a single pipe, and again without changes") {
  BareCluster bare;

  const auto first = pipe_into_kubectl(kSource / "config/default", "apply -f - 2>&1");

  INFO(first.text);
  REQUIRE(first.exit_code == 0);
  for (const auto& line : lines_of(first.text)) {
    INFO(line);
    CHECK(line.ends_with(" created"));
  }
  wait_until_it_stands();
  check_that_a_second_apply_changes_nothing();

  // As the manager and cert-manager do it.
  const auto authority = kubectl(
      {"config", "view", "--raw", "--minify", "-o", "jsonpath={.clusters[0].cluster.certificate-authority-data}"});
  const auto bundle_of = [](const std::string& what) {
    return kubectl({"get", what + "webhookconfiguration", "keelson-" + what + "-webhook-configuration", "-o",
                    "jsonpath={.webhooks[0].clientConfig.caBundle}"});
  };
  for (const std::string what : {"mutating", "validating"}) {
    kubectl({"patch", what + "webhookconfiguration", "keelson-" + what + "-webhook-configuration", "--type=json", "-p",
             R"([{"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":")" + authority + "\"}]"});
  }
  check_that_a_second_apply_changes_nothing();
  CHECK(bundle_of("mutating") == authority);
  CHECK(bundle_of("validating") == authority);
}

TEST_CASE("make deploy and make undeploy leave no objects behind", "[slow]") {
  BareCluster bare;
  TreeCopy tree;
  const auto image = [&tree] { return tree.read("config/manager/kustomization.yaml"); };
  const auto as_it_was = image();

  SECTION("with kustomize, make deploy writes the image into the same kustomization as in kubebuilder") {
    check_make_deploys_and_undeploys(tree, std::getenv("PATH"));
    CHECK(contains(image(), "  newName: registry.example.com:5000/keelson\n  newTag: v7\n"));
  }
  SECTION("without kustomize, make deploy does not change the tree") {
    const PathWithoutKustomize path(tree.path());
    REQUIRE(run({"env", "PATH=" + path.text(), "bash", "-c", "command -v kustomize"}).exit_code != 0);
    check_make_deploys_and_undeploys(tree, path.text());
    CHECK(image() == as_it_was);
  }
}

TEST_CASE("make build-installer writes the image into deploy/install.yaml") {
  TreeCopy tree;

  const auto output = make(tree, std::getenv("PATH"), {"build-installer", "IMG=registry.example.com/keelson:v7"});

  INFO(output.text);
  CHECK(output.exit_code == 0);
  const auto installer = read_file((tree.path() / "deploy/install.yaml").string());
  CHECK(contains(installer, "        image: registry.example.com/keelson:v7\n"));
  CHECK(installer == render(tree.path() / "config/default"));
}

TEST_CASE("make install and make uninstall create and delete only the kinds") {
  BareCluster bare;
  TreeCopy tree;
  const auto before = objects_in_cluster();

  const auto installed = make(tree, std::getenv("PATH"), {"install"});
  INFO(installed.text);
  REQUIRE(installed.exit_code == 0);
  for (const auto& line : lines_of(more_than(before))) {
    INFO(line);
    CHECK((line.starts_with("CustomResourceDefinition ") || line.starts_with("APIService ")));
  }

  CHECK(make(tree, std::getenv("PATH"), {"uninstall"}).exit_code == 0);
  eventually("nothing is left", [&] { return more_than(before).empty(); });
}

TEST_CASE("undeploy deletes the manager's objects, and waits for finalizers while the manager runs", "[slow]") {
  BareCluster bare;
  const auto before = objects_in_cluster();
  REQUIRE(pipe_into_kubectl(kSource / "config/default", "apply -f -").exit_code == 0);
  wait_until_it_stands();
  Manager manager({"--leader-elect", std::string("--leader-election-namespace=") + kSystem});
  manager.wait_until_ready();
  kubectl({"apply", "-n", "default", "-f", (kSource / "config/samples/memcached_v1_memcached.yaml").string()});
  kubectl({"apply", "-n", "default", "-f", "-"},
          "apiVersion: webapp.my.domain/v1\nkind: Guestbook\nmetadata: {name: held, finalizers: [example.com/hold]}\n"
          "spec: {size: 1, configMapName: m}\n");
  kubectl({"wait", "--for=condition=Ready", "memcached/memcached-sample", "-n", "default", "--timeout=180s"});
  CHECK(contains(more_than(before), "Lease "));

  const auto rejected = undeploy({"--timeout=1s"});
  CHECK(rejected.exit_code == 1);
  CHECK(contains(rejected.text, "these objects wait for their finalizers. Is the manager running?"));
  CHECK(contains(rejected.text, "held"));
  CHECK(contains(rejected.text, "example.com/hold"));
  CHECK(contains(rejected.text, "configuration.admissionregistration.k8s.io/keelson-mutating-webhook-configuration"));
  CHECK_FALSE(get("deployment", "keelson-controller-manager", kSystem).root().is_null());

  kubectl({"patch", "guestbook", "held", "-n", "default", "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"});
  const auto gone = undeploy();
  INFO(gone.text);
  CHECK(gone.exit_code == 0);
  eventually("nothing is left", [&] { return more_than(before).empty(); });
}

TEST_CASE("kustomize/namespaced: a Role is sufficient, and gives permissions in its own namespace only") {
  BareCluster bare;
  REQUIRE(pipe_into_kubectl(kSource / "kustomize/namespaced", "apply -f -").exit_code == 0);
  wait_until_it_stands();
  CredentialFolder folder;
  Manager manager({"--kubeconfig=" + folder.kubeconfig(user_with_token()), std::string("--watch-namespaces=") + kSystem,
                   "--leader-elect", std::string("--leader-election-namespace=") + kSystem, "--hikawa-seed=23"});
  manager.wait_until_ready();
  const auto sample = (kSource / "config/samples/memcached_v1_memcached.yaml").string();

  kubectl({"apply", "-n", "default", "-f", sample});
  kubectl({"apply", "-n", kSystem, "-k", (kSource / "config/samples").string()});

  kubectl({"wait", "--for=condition=Ready", "memcached/memcached-sample", "bluegreen/demo",
           "guestbook/guestbook-sample", "hikawa/hikawa-sample", "-n", kSystem, "--timeout=180s"});
  // The CRD's default: no manager has observed it.
  CHECK(kubectl({"get", "memcached", "memcached-sample", "-n", "default", "-o",
                 "jsonpath={.status.observedGeneration}"}) == "-1");
  CHECK_FALSE(contains(manager.log(), "forbidden"));
  CHECK(try_kubectl({"get", "mutatingwebhookconfigurations,validatingwebhookconfigurations", "-o", "name"}).text == "");
}

}  // namespace keelson::testing
