// `uninstall` on the API server in this process: finalizers, CRDs of others, and a failure at every request.
#include "keelson/detail/install/uninstall.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/detail/schema/crd.hpp"
#include "test/sim/folder_cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

TEST_CASE("uninstall lets the manager remove its finalizers, and then deletes children and CRDs") {
  FolderCluster cluster;
  REQUIRE(cluster.start_manager());
  for (const auto* name : {"a", "b", "c"}) cluster.create_folder("default", name);
  cluster.create_folder("kube-system", "d");
  REQUIRE(cluster.eventually([&] { return cluster.server.objects(kube::config_maps()).size() >= 4; }));
  cluster.create_lease();

  const auto done = cluster.uninstall_during_renewal();

  CHECK(error_text(done).empty());
  REQUIRE(cluster.lines.size() >= 3);
  CHECK(cluster.lines[0] == "folders.files.example.com: will delete 4 objects in 2 namespaces, then the CRD");
  CHECK(cluster.lines[1] ==
        "4 objects have finalizers of the manager (files.example.com/trash), which the manager removes: the Lease "
        "default/keelson-manager is renewed by laptop_1");
  CHECK(cluster.lines.back() == "folders.files.example.com deleted");
  CHECK(cluster.folder_count() == 0);
  CHECK_FALSE(cluster.has_crd());
  CHECK(cluster.get(kube::config_maps(), {"default", "a"}).root().is_null());
}

// The manager crashed after it had renewed the Lease.
TEST_CASE("uninstall deletes nothing if no manager can remove its finalizers") {
  FolderCluster cluster;
  cluster.create_folder("default", "a", R"(,"finalizers":["files.example.com/trash"])");
  cluster.create_lease();
  const auto version = cluster.server.resource_version();

  const auto refused = cluster.uninstall();

  CHECK(error_text(refused).starts_with("nothing was deleted: 1 object has finalizers of the manager"));
  CHECK(error_text(refused).find("in no namespace is the Lease keelson-manager renewed") != std::string::npos);
  CHECK(error_text(refused).find("--remove-finalizers") != std::string::npos);
  CHECK(cluster.server.resource_version() == version);
}

TEST_CASE("on request uninstall removes the manager's own finalizers, and no others") {
  FolderCluster cluster;
  cluster.create_folder("default", "a", R"(,"finalizers":["files.example.com/trash"])");
  cluster.create_folder("default", "b", R"(,"finalizers":["files.example.com/trash","example.com/hold"])");

  const auto stuck = cluster.uninstall({.removes_finalizers = true});

  CHECK(error_text(stuck).starts_with("1 object remains, and none went away for 1m0s. No CRD was deleted."));
  CHECK(error_text(stuck).find(
            "folders.files.example.com default/b has the finalizer example.com/hold of another controller") !=
        std::string::npos);
  CHECK(cluster.folder_count() == 1);
  CHECK(cluster.has_crd());
  REQUIRE(cluster.patch(kFolders, {"default", "b"}, R"({"metadata":{"finalizers":null}})"));
  CHECK(error_text(cluster.uninstall()).empty());
  CHECK_FALSE(cluster.has_crd());
}

TEST_CASE("a dry run of uninstall says what it would delete") {
  FolderCluster cluster;
  cluster.create_folder("default", "a");
  const auto version = cluster.server.resource_version();

  REQUIRE(cluster.uninstall({.is_dry_run = true}));

  CHECK(cluster.lines == Lines{"folders.files.example.com: would delete 1 object in 1 namespace, then the CRD"});
  CHECK(cluster.server.resource_version() == version);
}

// Replaces the CRD by one that another client has created or applied.
void replace_crd(FolderCluster& cluster, kube::ApiRequest request) {
  request.resource = kube::custom_resource_definitions();
  std::optional<Result<kube::ApiReply>> written;
  cluster.loop.run([&]() -> boost::asio::awaitable<void> {
    CHECK(co_await kube::remove(cluster.client(), kube::custom_resource_definitions(),
                                {"", "folders.files.example.com"}, {}));
    written = co_await cluster.client().send(std::move(request));
  });
  REQUIRE(written->has_value());
}

std::string crd_with(const std::string& description) {
  auto kind = controller::kind_of<Folder>();
  if (!description.empty()) {
    kind.spec_schema = R"({"type":"object","description":")" + description +
                       R"(","properties":{"path":{"type":"string"},"owner":{"type":"string"}}})";
  }
  return kube::custom_resource_definition(kind);
}

TEST_CASE("uninstall deletes neither a CRD that another operator has installed nor its objects") {
  const auto own = crd_with("");
  const auto other = crd_with("of another operator");
  const struct {
    const char* what;
    kube::ApiRequest request;
    std::string says;  // empty: it is deleted
  } cases[] = {
      {"created with another schema",
       {.verb = kube::Verb::kCreate, .body = other},
       "folders.files.example.com: not deleted, with its objects: this program did not install the CRD"},
      {"created with the schema of this program", {.verb = kube::Verb::kCreate, .body = own}, ""},
      {"applied by another operator",
       {.verb = kube::Verb::kPatch,
        .key = {"", "folders.files.example.com"},
        .query = {{"fieldManager", "other"}, {"force", "true"}},
        .patch_type = kube::PatchType::kApply,
        .body = own},
       "folders.files.example.com: not deleted, with its objects: the CRD is applied by other"},
  };
  for (const auto& row : cases) {
    for (const bool is_dry_run : {true, false}) {
      INFO(row.what << (is_dry_run ? ", dry run" : ""));
      FolderCluster cluster;
      replace_crd(cluster, row.request);
      cluster.create_folder("default", "a", R"(,"finalizers":["files.example.com/trash"])");

      const auto done = cluster.uninstall(
          {.kinds = {{kFolders, {kFinalizer}, true, own}}, .is_dry_run = is_dry_run, .removes_finalizers = true});

      CHECK(error_text(done).empty());
      const bool stays = is_dry_run || !row.says.empty();
      CHECK(cluster.has_crd() == stays);
      CHECK(cluster.folder_count() == (stays ? 1 : 0));
      CHECK(cluster.printed("not deleted") == !row.says.empty());
      CHECK(cluster.printed(row.says));
    }
  }
}

TEST_CASE("uninstall compares a CRD again after a conflict, and leaves one that it may not compare") {
  const struct {
    int code;
    int failures;
    bool is_deleted;
    std::string says;
  } cases[] = {
      {409, 2, true, "folders.files.example.com deleted"},
      {409, 100, false, ""},
      {403, 100, false,
       "folders.files.example.com: not deleted, with its objects: this program did not install the CRD"},
  };
  for (const auto& row : cases) {
    INFO(row.code << ", " << row.failures << " times");
    FolderCluster cluster;
    const auto own = crd_with("");
    replace_crd(cluster, {.verb = kube::Verb::kCreate, .body = own});
    for (int i = 0; i < row.failures; ++i) {
      cluster.server.fail_next(
          [](const sandbox::RequestInfo& request) {
            return request.resource == kube::custom_resource_definitions() && request.verb == kube::Verb::kUpdate;
          },
          status_of_code(row.code));
    }

    const auto done = cluster.uninstall({.kinds = {{kFolders, {kFinalizer}, true, own}}});

    CHECK(done.has_value() == (row.code != 409 || row.is_deleted));
    CHECK(cluster.has_crd() == !row.is_deleted);
    if (done) CHECK(cluster.printed(row.says));
  }
}

TEST_CASE("uninstall after a failure of any request completes what it began") {
  int failures = 0;
  for (int number = 1;; ++number) {
    INFO("request " << number);
    FolderCluster cluster;
    cluster.create_folder("default", "a");
    cluster.create_folder("default", "b", R"(,"finalizers":["files.example.com/trash"])");
    const auto has_failed = fail_request(cluster, number, transport_error("the connection was reset"));
    const install::UninstallOptions options{
        .kinds = {{kFolders, {kFinalizer}}}, .removes_finalizers = true, .timeout = 10s};

    const auto first = cluster.uninstall(options);
    if (!*has_failed) break;
    if (!first) ++failures;

    REQUIRE(cluster.uninstall(options));
    CHECK(cluster.folder_count() == 0);
    CHECK_FALSE(cluster.has_crd());
  }
  CHECK(failures >= 5);
}

TEST_CASE("uninstall deletes objects of a namespace at once, or one by one if that is not allowed") {
  for (const bool may_delete_collection : {true, false}) {
    FolderCluster cluster;
    for (int i = 0; i < 1200; ++i) cluster.create_folder("default", "f" + std::to_string(i));
    std::shared_ptr<void> forbidden;
    if (!may_delete_collection) {
      forbidden =
          cluster.server.forbid([](const auto& request) { return request.verb == kube::Verb::kDeleteCollection; });
    }
    cluster.server.clear_log();

    const auto done = cluster.uninstall();

    CHECK(error_text(done).empty());
    CHECK_FALSE(cluster.has_crd());
    const auto deletes = cluster.server.count([](const auto& request) {
      return request.verb == kube::Verb::kDelete && request.resource.plural == "folders";
    });
    CHECK(deletes == (may_delete_collection ? 0 : 1200));
  }
}

TEST_CASE("finalizers on objects of an existing kind are reported, and removed on request") {
  FolderCluster cluster;
  REQUIRE(cluster.create(
      kube::config_maps(), "default",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["example.com/own"]}})"));
  const std::vector<install::InstalledKind> kinds = {{kFolders}, {kube::config_maps(), {"example.com/own"}, false}};

  REQUIRE(cluster.uninstall({.kinds = kinds}));
  CHECK(cluster.printed("note: the cluster has 1 object of configmaps with the finalizer example.com/own"));
  CHECK_FALSE(cluster.has_crd());

  REQUIRE(cluster.uninstall({.kinds = kinds, .removes_finalizers = true}));
  CHECK(cluster.printed("folders.files.example.com: the cluster does not have this CRD"));
  const auto map = cluster.get(kube::config_maps(), {"default", "a"});
  CHECK(map.root().at({"metadata", "name"}).string() == "a");
  CHECK(map.root().at({"metadata", "finalizers"}).size() == 0);
}

TEST_CASE("finalizers on objects of an existing kind are removed after errors that pass") {
  FolderCluster cluster;
  REQUIRE(cluster.create(
      kube::config_maps(), "default",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["example.com/a","example.com/b"]}})"));
  const std::vector<install::InstalledKind> kinds = {{kube::config_maps(), {"example.com/a", "example.com/b"}, false}};
  for (const int code : {409, 429, 500}) {
    cluster.server.fail_next([](const auto& request) { return request.verb == kube::Verb::kPatch; },
                             status_of_code(code));
  }

  CHECK(error_text(cluster.uninstall({.kinds = kinds, .removes_finalizers = true})).empty());

  CHECK(cluster.get(kube::config_maps(), {"default", "a"}).root().at({"metadata", "finalizers"}).size() == 0);
}

TEST_CASE("uninstall ends with an error if finalizers on objects of an existing kind remain") {
  FolderCluster cluster;
  REQUIRE(cluster.create(
      kube::config_maps(), "default",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["example.com/own"]}})"));
  for (int i = 0; i < 100; ++i) {
    cluster.server.fail_next([](const auto& request) { return request.verb == kube::Verb::kPatch; },
                             status_of_code(409));
  }

  const auto failed = cluster.uninstall(
      {.kinds = {{kube::config_maps(), {"example.com/own"}, false}}, .removes_finalizers = true, .timeout = 10s});

  CHECK(error_text(failed).find("configmaps: 1 object has the finalizer example.com/own and did not lose it for 10s") !=
        std::string::npos);
  CHECK_FALSE(cluster.printed("removed the finalizer"));
}

TEST_CASE("uninstall does not delete the CRD of a kind that is not served, because its objects are unknown") {
  FolderCluster cluster;
  cluster.create_folder("default", "a");
  cluster.server.fail_next(
      [](const auto& request) { return request.verb == kube::Verb::kList && request.resource.plural == "folders"; },
      status_of_code(404));

  const auto failed = cluster.uninstall();

  CHECK(error_text(failed).find(
            "folders.files.example.com: the CRD exists, but the API server does not serve the kind") !=
        std::string::npos);
  CHECK(cluster.has_crd());
  CHECK(cluster.folder_count() == 1);
}

TEST_CASE("an error that cannot pass ends uninstall, and the CRDs remain") {
  FolderCluster cluster;
  cluster.create_folder("default", "a");
  const auto forbidden = cluster.server.forbid(
      [](const auto& request) { return request.verb == kube::Verb::kDelete && request.resource.plural == "folders"; });

  const auto failed = cluster.uninstall();

  INFO(error_text(failed));
  CHECK(error_text(failed).find("delete folders.files.example.com default/a: ") != std::string::npos);
  CHECK(cluster.has_crd());
}

}  // namespace
}  // namespace keelson::testing
