// `install` and `uninstall` of programs: the manager, and an operator whose objects have a finalizer.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <sstream>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/process.hpp"
#include "test/support/files.hpp"
#include "test/support/text_parts.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* kCrd = "folders.files.example.com";

Output folders(std::vector<std::string> words) {
  words.insert(words.begin(), KEELSON_FOLDER_OPERATOR);
  return run(words);
}

// The operator, as a leader whose Lease shows that it runs.
class FolderOperator {
 public:
  explicit FolderOperator(const std::string& ns)
      : log_(folder_.path() / "folders.log"),
        process_({KEELSON_FOLDER_OPERATOR, "--leader-elect", "--leader-election-namespace=" + ns,
                  "--metrics-bind-address=0", "--health-probe-bind-address=0"},
                 log_) {
    show_when_it_fails(log_);
  }

 private:
  TemporaryFolder folder_;
  std::string log_;
  Process process_;
};

// A cluster without the kind, before a test and after it.
class WithoutFolders {
 public:
  WithoutFolders() { clear(); }
  WithoutFolders(const WithoutFolders&) = delete;
  WithoutFolders& operator=(const WithoutFolders&) = delete;
  ~WithoutFolders() { clear(); }

 private:
  static void clear() {
    (void)folders({"uninstall", "--remove-finalizers"});
    (void)try_kubectl({"delete", "crd", kCrd, "--ignore-not-found"});
  }
};

void create_folders(const std::string& ns, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all +=
        "---\napiVersion: files.example.com/v1\nkind: Folder\nmetadata: {name: f" + std::to_string(i) + "}\nspec: {}\n";
  }
  kubectl({"create", "-n", ns, "-f", "-"}, all);
}

void wait_for_finalizers(const std::string& ns, std::size_t count) {
  eventually("the operator has added its finalizers",
             [&] { return values_of("folders", ns, ".metadata.finalizers").size() == count; });
}

std::string crd_version() { return value_of("crd", kCrd, "", ".metadata.resourceVersion"); }

TEST_CASE("after install the manager works, and a second install writes nothing") {
  const auto first = run({KEELSON_MANAGER, "install"});
  INFO(first.text);
  REQUIRE(first.exit_code == 0);
  const auto versions = values_of("crds", "", ".metadata.resourceVersion");

  const auto second = run({KEELSON_MANAGER, "install"});

  CHECK(second.exit_code == 0);
  std::istringstream lines(second.text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.ends_with(" unchanged"));
  }
  CHECK(values_of("crds", "", ".metadata.resourceVersion") == versions);
  Namespace space;
  Manager manager({"--watch-namespaces=" + space.name()});
  manager.wait_until_ready();
  kubectl({"apply", "-n", space.name(), "-f",
           std::string(KEELSON_SOURCE_DIR) + "/config/samples/memcached_v1_memcached.yaml"});
  kubectl({"wait", "-n", space.name(), "--for=condition=Ready", "memcached/memcached-sample", "--timeout=180s"});
}

TEST_CASE("install takes over a CRD that kubectl has applied") {
  const WithoutFolders before;
  TemporaryFolder config;
  REQUIRE(folders({"generate", "crd", "--output", config.path().string()}).exit_code == 0);
  kubectl({"apply", "-f", (config.path() / "crd/bases/files.example.com_folders.yaml").string()});
  const auto dry = folders({"install", "--dry-run"});
  const auto done = folders({"install"});
  const auto again = folders({"install"});

  const std::string taken = "updated (taken over from kubectl-client-side-apply)\n";
  CHECK(dry.text == std::string(kCrd) + " would be " + taken);
  CHECK(done.text == std::string(kCrd) + " " + taken);
  CHECK(again.text == std::string(kCrd) + " unchanged\n");
}

// The fields that kubectl adds to the generated CRD: a short name, and a label of another client, which stays.
TEST_CASE("after install a CRD has no field that only kubectl apply has set") {
  const WithoutFolders before;
  TemporaryFolder config;
  REQUIRE(folders({"generate", "crd", "--output", config.path().string()}).exit_code == 0);
  const auto file = (config.path() / "crd/bases/files.example.com_folders.yaml").string();
  auto yaml = content_of(file);
  const std::string singular = "    singular: folder\n";
  REQUIRE(contains(yaml, singular));
  yaml.replace(yaml.find(singular), singular.size(), "    shortNames:\n    - fx\n" + singular);
  kubectl({"apply", "-f", "-"}, yaml);
  kubectl({"label", "crd", kCrd, "team=storage"});
  REQUIRE(contains(value_of("crd", kCrd, "", ".spec.names"), "fx"));

  const auto done = folders({"install"});
  INFO(done.text);

  CHECK(done.text == std::string(kCrd) + " updated (taken over from kubectl-client-side-apply)\n");
  CHECK_FALSE(contains(value_of("crd", kCrd, "", ".spec.names"), "fx"));
  CHECK_FALSE(contains(value_of("crd", kCrd, "", ".metadata.annotations"), "last-applied-configuration"));
  CHECK(value_of("crd", kCrd, "", ".metadata.labels.team") == "storage");
  CHECK_FALSE(contains(value_of("crd", kCrd, "", ".metadata.managedFields"), "kubectl-client-side-apply"));
  CHECK(folders({"install"}).text == std::string(kCrd) + " unchanged\n");
}

TEST_CASE("install does not remove a version in which the API server may have stored objects") {
  const WithoutFolders before;
  REQUIRE(folders({"install"}).exit_code == 0);
  kubectl(
      {"patch", "crd", kCrd, "--type=json", "-p",
       R"([{"op":"add","path":"/spec/versions/-","value":{"name":"v0","served":true,"storage":true,)"
       R"("schema":{"openAPIV3Schema":{"type":"object"}}}},{"op":"replace","path":"/spec/versions/0/storage","value":false}])"});
  eventually("v0 is stored", [] { return contains(value_of("crd", kCrd, "", ".status.storedVersions"), "v0"); });
  const auto version = crd_version();

  const auto refused = folders({"install"});

  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.text, "objects may be stored in version v0, which this program lacks (it has v1)"));
  CHECK(crd_version() == version);
  // The command that the error gives.
  kubectl(
      {"patch", "crd", kCrd, "--type=json", "-p",
       R"([{"op":"replace","path":"/spec/versions/0/storage","value":true},{"op":"replace","path":"/spec/versions/1/storage","value":false}])"});
  kubectl(
      {"patch", "crd", kCrd, "--subresource=status", "--type=merge", "-p", R"({"status":{"storedVersions":["v1"]}})"});
  const auto done = folders({"install"});
  INFO(done.text);
  CHECK(done.exit_code == 0);
}

TEST_CASE("install names the CRD that has one of its names") {
  const WithoutFolders before;
  const std::string other =
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
      R"("metadata":{"name":"binders.files.example.com"},"spec":{"group":"files.example.com",)"
      R"("scope":"Namespaced","names":{"plural":"binders","kind":"Folder"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
  kubectl({"create", "-f", "-"}, other);
  kubectl({"wait", "--for=condition=Established", "crd/binders.files.example.com", "--timeout=180s"});

  const auto failed = folders({"install"});
  kubectl({"delete", "crd", "binders.files.example.com"});

  CHECK(failed.exit_code == 1);
  CHECK(contains(failed.text, "its names are not accepted"));
  CHECK(contains(failed.text, "by the CRD binders.files.example.com"));
}

TEST_CASE("uninstall waits until the running manager has removed its finalizers") {
  const WithoutFolders before;
  Namespace space;
  REQUIRE(folders({"install"}).exit_code == 0);
  FolderOperator manager(space.name());
  create_folders(space.name(), 20);
  wait_for_finalizers(space.name(), 20);
  eventually("the children exist",
             [&] { return values_of("configmaps", space.name(), ".metadata.name").size() >= 20; });

  const auto done = folders({"uninstall"});

  INFO(done.text);
  CHECK(done.exit_code == 0);
  CHECK(contains(done.text, "will delete 20 objects in 1 namespace, then the CRD"));
  CHECK(contains(done.text, std::string(kCrd) + " deleted"));
  CHECK(value_of("crd", kCrd, "", ".metadata.name").empty());
  const auto left = values_of("configmaps", space.name(), ".metadata.name");
  CHECK(std::ranges::none_of(left, [](const auto& name) { return name.starts_with("f"); }));
}

TEST_CASE("uninstall without a manager deletes nothing, except with --remove-finalizers") {
  const WithoutFolders before;
  Namespace space;
  REQUIRE(folders({"install"}).exit_code == 0);
  {
    FolderOperator manager(space.name());
    create_folders(space.name(), 3);
    wait_for_finalizers(space.name(), 3);
  }
  // The killed manager has not released its Lease, which expires.
  Output refused;
  eventually("no manager is found", [&] {
    refused = folders({"uninstall", "--dry-run"});
    return refused.exit_code != 0;
  });

  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.text,
                 "nothing was deleted: 3 objects have finalizers of the manager (files.example.com/trash)"));
  CHECK(values_of("folders", space.name(), ".metadata.name").size() == 3);
  const auto forced = folders({"uninstall", "--remove-finalizers"});
  INFO(forced.text);
  CHECK(forced.exit_code == 0);
  CHECK(value_of("crd", kCrd, "", ".metadata.name").empty());
}

TEST_CASE("uninstall lists the objects that another controller holds, and the CRD remains") {
  const WithoutFolders before;
  Namespace space;
  REQUIRE(folders({"install"}).exit_code == 0);
  create_folders(space.name(), 1);
  kubectl({"patch", "folder", "f0", "-n", space.name(), "--type=merge", "-p",
           R"({"metadata":{"finalizers":["example.com/hold"]}})"});

  const auto stuck = folders({"uninstall", "--timeout=2s"});
  const auto crd = value_of("crd", kCrd, "", ".metadata.name");
  kubectl({"patch", "folder", "f0", "-n", space.name(), "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"});

  CHECK(stuck.exit_code == 1);
  CHECK(contains(stuck.text,
                 kCrd + (" " + space.name()) + "/f0 has the finalizer example.com/hold of another controller"));
  CHECK(contains(crd, kCrd));
  CHECK(folders({"uninstall"}).exit_code == 0);
}

TEST_CASE("a namespace that is deleted during uninstall is gone afterward") {
  const WithoutFolders before;
  Namespace space;
  Namespace dying;
  REQUIRE(folders({"install"}).exit_code == 0);
  FolderOperator manager(space.name());
  create_folders(dying.name(), 30);
  wait_for_finalizers(dying.name(), 30);

  kubectl({"delete", "namespace", dying.name(), "--wait=false"});
  const auto done = folders({"uninstall"});

  INFO(done.text);
  CHECK(done.exit_code == 0);
  eventually("the namespace is gone",
             [&] { return value_of("namespace", dying.name(), "", ".metadata.name").empty(); });
}

}  // namespace
}  // namespace keelson::testing
