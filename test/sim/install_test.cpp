// `install` and `uninstall` on the API server in this process: upgrades, finalizers, and a failure at every request.
#include "keelson/install/install.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/install/uninstall.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "keelson/schema/crd.hpp"
#include "keelson/schema/time.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using Lines = std::vector<std::string>;

struct FolderSpec {
  std::optional<std::string> path;
};
void describe(kube::Description& d, FolderSpec& spec) { d.field("path", spec.path, "Where it is."); }
struct Folder : CustomResource<FolderSpec> {
  static constexpr kube::Identity kIdentity{"files.example.com", "v1", "Folder"};
};
const auto kFolders = kube::resource_of<Folder>();
constexpr const char* kFinalizer = "files.example.com/trash";

Reconciled keep(const Folder& folder, Pass<Folder>& pass) {
  KEELSON_CO_TRY(co_await pass.apply(ConfigMap{.metadata = {.name = folder.metadata.name}}));
  co_return done();
}
Reconciled empty_trash(const Folder&, Pass<Folder>&) { co_return done(); }

controller::Definition folders() {
  return controller_for<Folder>(keep, Finalizer<Folder>{kFinalizer, empty_trash}).owns<ConfigMap>();
}

// A version of the kind in the CRD, as former versions of the program had it.
kube::Kind kind_with(const std::string& version) {
  auto kind = controller::kind_of<Folder>();
  kind.resource.version = version;
  return kind;
}

class Cluster : public sandbox::SimulatedCluster {
 public:
  Cluster() : SimulatedCluster(folders()) { REQUIRE(install()); }

  Result<void> install(install::InstallOptions options = {}) {
    if (options.kinds.empty()) options.kinds = {controller::kind_of<Folder>()};
    lines.clear();
    return run([&] { return install::install(client(), loop.clock(), options, printer()); });
  }
  Result<void> uninstall(install::UninstallOptions options = {}) {
    if (options.kinds.empty()) options.kinds = {{kFolders, {kFinalizer}}};
    lines.clear();
    return run([&] { return install::uninstall(client(), loop.clock(), options, printer()); });
  }

  void create_folder(const std::string& ns, const std::string& name, const std::string& metadata = "") {
    REQUIRE(create(kFolders, ns,
                   R"({"apiVersion":"files.example.com/v1","kind":"Folder","metadata":{"name":")" + name + '"' +
                       metadata + R"(},"spec":{}})"));
  }
  // uninstall() while the manager that holds the Lease renews it once, after some seconds.
  Result<void> uninstall_during_renewal() {
    const install::UninstallOptions options{.kinds = {{kFolders, {kFinalizer}}}};
    lines.clear();
    std::optional<Result<void>> result;
    auto together = [&](async::TaskGroup& group) -> boost::asio::awaitable<void> {
      group.spawn(renew_lease());
      result = co_await install::uninstall(client(), loop.clock(), options, printer());
      co_await group.drain();
    };
    loop.run([&]() -> boost::asio::awaitable<void> { co_await async::with_task_group(together); });
    return *result;
  }

  // A Lease that its holder has just renewed.
  void create_lease() {
    REQUIRE(create(kube::leases(), "default",
                   R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"keelson-manager"},)"
                   R"("spec":{"holderIdentity":"laptop_1","leaseDurationSeconds":15,"renewTime":")" +
                       kube::format_micro_time(loop.clock().wall_now()) + R"("}})"));
  }
  bool has_crd() const {
    return !get(kube::custom_resource_definitions(), {"", "folders.files.example.com"}).root().is_null();
  }
  std::size_t folder_count() const { return server.objects(kFolders).size(); }
  bool printed(const std::string& text) const {
    return std::ranges::any_of(lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
  }
  kube::Client& client() { return server.client("admin"); }

  Lines lines;

 private:
  boost::asio::awaitable<void> renew_lease() {
    co_await async::sleep_for(loop.clock(), 7s);
    auto renewed =
        co_await kube::patch(client(), kube::leases(), {"default", "keelson-manager"}, kube::PatchType::kMerge,
                             R"({"spec":{"renewTime":")" + kube::format_micro_time(loop.clock().wall_now()) + R"("}})");
    CHECK(renewed);
  }
  install::PrintLine printer() {
    return [this](const std::string& line) { lines.push_back(line); };
  }
  Result<void> run(const std::function<boost::asio::awaitable<Result<void>>()>& work) {
    std::optional<Result<void>> result;
    loop.run([&]() -> boost::asio::awaitable<void> { result = co_await work(); });
    return *result;
  }
};

std::string text_of(const Result<void>& result) { return result ? "" : result.error().message(); }

Error status_error(int code) {
  Error error(Error::Kind::kStatus, "");
  error.code = code;
  return error;
}

// From now on, request number `number` of any client fails with this error; true in the result after it has failed.
std::shared_ptr<bool> fail_request(Cluster& cluster, int number, Error error) {
  auto has_failed = std::make_shared<bool>(false);
  cluster.server.fail_next(
      [left = number, has_failed](const sandbox::RequestInfo&) mutable { return *has_failed = --left == 0; },
      std::move(error));
  return has_failed;
}

TEST_CASE("install creates a CRD, then leaves it unchanged without a write") {
  Cluster cluster;
  CHECK(cluster.lines == Lines{"folders.files.example.com created"});
  const auto version = cluster.server.resource_version();

  REQUIRE(cluster.install());

  CHECK(cluster.lines == Lines{"folders.files.example.com unchanged"});
  CHECK(cluster.server.resource_version() == version);
}

TEST_CASE("a dry run of install says what it would do and stores nothing") {
  Cluster cluster;
  REQUIRE(cluster.install({.is_dry_run = true}));
  CHECK(cluster.lines == Lines{"folders.files.example.com unchanged"});
  auto changed = controller::kind_of<Folder>();
  changed.short_names = {"fd"};
  const auto version = cluster.server.resource_version();

  REQUIRE(cluster.install({.kinds = {changed}, .is_dry_run = true}));
  CHECK(cluster.lines == Lines{"folders.files.example.com would be updated"});
  CHECK(cluster.server.resource_version() == version);

  REQUIRE(cluster.uninstall());
  REQUIRE(cluster.install({.is_dry_run = true}));
  CHECK(cluster.lines == Lines{"folders.files.example.com would be created"});
  CHECK_FALSE(cluster.has_crd());
}

TEST_CASE("install does not drop a version in which objects may be stored") {
  Cluster cluster;
  auto both = kind_with("v2");
  both.other_versions = {kind_with("v1")};
  REQUIRE(cluster.install({.kinds = {both}}));
  const auto version = cluster.server.resource_version();

  const auto refused = cluster.install({.kinds = {kind_with("v2")}});

  CHECK(text_of(refused).starts_with("nothing was changed"));
  CHECK(text_of(refused).find("objects may be stored in version v1, which this program lacks (it has v2)") !=
        std::string::npos);
  CHECK(cluster.server.resource_version() == version);
  REQUIRE(cluster.patch(kube::custom_resource_definitions(), {"", "folders.files.example.com"},
                        R"({"status":{"storedVersions":["v2"]}})"));
}

TEST_CASE("install after a failure of any request completes what it began") {
  int failures = 0;
  for (int number = 1;; ++number) {
    INFO("request " << number);
    Cluster cluster;
    REQUIRE(cluster.uninstall());
    const auto has_failed = fail_request(cluster, number, transport_error("the connection was reset"));

    const auto first = cluster.install();
    if (!*has_failed) break;
    ++failures;

    CHECK(text_of(first).find("the connection was reset") != std::string::npos);
    REQUIRE(cluster.install());
    CHECK(cluster.has_crd());
  }
  // The get before the apply, the apply, and the get after it.
  CHECK(failures == 3);
}

TEST_CASE("uninstall lets the manager remove its finalizers, and then deletes children and CRDs") {
  Cluster cluster;
  REQUIRE(cluster.start_manager());
  for (const auto* name : {"a", "b", "c"}) cluster.create_folder("default", name);
  cluster.create_folder("kube-system", "d");
  REQUIRE(cluster.eventually([&] { return cluster.server.objects(kube::config_maps()).size() >= 4; }));
  cluster.create_lease();

  const auto done = cluster.uninstall_during_renewal();

  CHECK(text_of(done).empty());
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
  Cluster cluster;
  cluster.create_folder("default", "a", R"(,"finalizers":["files.example.com/trash"])");
  cluster.create_lease();
  const auto version = cluster.server.resource_version();

  const auto refused = cluster.uninstall();

  CHECK(text_of(refused).starts_with("nothing was deleted: 1 object has finalizers of the manager"));
  CHECK(text_of(refused).find("in no namespace is the Lease keelson-manager renewed") != std::string::npos);
  CHECK(text_of(refused).find("--remove-finalizers") != std::string::npos);
  CHECK(cluster.server.resource_version() == version);
}

TEST_CASE("on request uninstall removes the manager's own finalizers, and no others") {
  Cluster cluster;
  cluster.create_folder("default", "a", R"(,"finalizers":["files.example.com/trash"])");
  cluster.create_folder("default", "b", R"(,"finalizers":["files.example.com/trash","example.com/hold"])");

  const auto stuck = cluster.uninstall({.removes_finalizers = true});

  CHECK(text_of(stuck).starts_with("1 object remains, and none went away for 1m0s. No CRD was deleted."));
  CHECK(text_of(stuck).find(
            "folders.files.example.com default/b has the finalizer example.com/hold of another controller") !=
        std::string::npos);
  CHECK(cluster.folder_count() == 1);
  CHECK(cluster.has_crd());
  REQUIRE(cluster.patch(kFolders, {"default", "b"}, R"({"metadata":{"finalizers":null}})"));
  CHECK(text_of(cluster.uninstall()).empty());
  CHECK_FALSE(cluster.has_crd());
}

TEST_CASE("a dry run of uninstall says what it would delete") {
  Cluster cluster;
  cluster.create_folder("default", "a");
  const auto version = cluster.server.resource_version();

  REQUIRE(cluster.uninstall({.is_dry_run = true}));

  CHECK(cluster.lines == Lines{"folders.files.example.com: would delete 1 object in 1 namespace, then the CRD"});
  CHECK(cluster.server.resource_version() == version);
}

// Replaces the CRD by one that another client has created or applied.
void replace_crd(Cluster& cluster, kube::ApiRequest request) {
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
      Cluster cluster;
      replace_crd(cluster, row.request);
      cluster.create_folder("default", "a", R"(,"finalizers":["files.example.com/trash"])");

      const auto done = cluster.uninstall(
          {.kinds = {{kFolders, {kFinalizer}, true, own}}, .is_dry_run = is_dry_run, .removes_finalizers = true});

      CHECK(text_of(done).empty());
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
    Cluster cluster;
    const auto own = crd_with("");
    replace_crd(cluster, {.verb = kube::Verb::kCreate, .body = own});
    for (int i = 0; i < row.failures; ++i) {
      cluster.server.fail_next(
          [](const sandbox::RequestInfo& request) {
            return request.resource == kube::custom_resource_definitions() && request.verb == kube::Verb::kUpdate;
          },
          status_error(row.code));
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
    Cluster cluster;
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
    Cluster cluster;
    for (int i = 0; i < 1200; ++i) cluster.create_folder("default", "f" + std::to_string(i));
    std::shared_ptr<void> forbidden;
    if (!may_delete_collection) {
      forbidden =
          cluster.server.forbid([](const auto& request) { return request.verb == kube::Verb::kDeleteCollection; });
    }
    cluster.server.clear_log();

    const auto done = cluster.uninstall();

    CHECK(text_of(done).empty());
    CHECK_FALSE(cluster.has_crd());
    const auto deletes = cluster.server.count([](const auto& request) {
      return request.verb == kube::Verb::kDelete && request.resource.plural == "folders";
    });
    CHECK(deletes == (may_delete_collection ? 0 : 1200));
  }
}

TEST_CASE("finalizers on objects of an existing kind are reported, and removed on request") {
  Cluster cluster;
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
  Cluster cluster;
  REQUIRE(cluster.create(
      kube::config_maps(), "default",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["example.com/a","example.com/b"]}})"));
  const std::vector<install::InstalledKind> kinds = {{kube::config_maps(), {"example.com/a", "example.com/b"}, false}};
  for (const int code : {409, 429, 500}) {
    cluster.server.fail_next([](const auto& request) { return request.verb == kube::Verb::kPatch; },
                             status_error(code));
  }

  CHECK(text_of(cluster.uninstall({.kinds = kinds, .removes_finalizers = true})).empty());

  CHECK(cluster.get(kube::config_maps(), {"default", "a"}).root().at({"metadata", "finalizers"}).size() == 0);
}

TEST_CASE("uninstall ends with an error if finalizers on objects of an existing kind remain") {
  Cluster cluster;
  REQUIRE(cluster.create(
      kube::config_maps(), "default",
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["example.com/own"]}})"));
  for (int i = 0; i < 100; ++i) {
    cluster.server.fail_next([](const auto& request) { return request.verb == kube::Verb::kPatch; }, status_error(409));
  }

  const auto failed = cluster.uninstall(
      {.kinds = {{kube::config_maps(), {"example.com/own"}, false}}, .removes_finalizers = true, .timeout = 10s});

  CHECK(text_of(failed).find("configmaps: 1 object has the finalizer example.com/own and did not lose it for 10s") !=
        std::string::npos);
  CHECK_FALSE(cluster.printed("removed the finalizer"));
}

TEST_CASE("uninstall does not delete the CRD of a kind that is not served, because its objects are unknown") {
  Cluster cluster;
  cluster.create_folder("default", "a");
  cluster.server.fail_next(
      [](const auto& request) { return request.verb == kube::Verb::kList && request.resource.plural == "folders"; },
      status_error(404));

  const auto failed = cluster.uninstall();

  CHECK(text_of(failed).find("folders.files.example.com: the CRD exists, but the API server does not serve the kind") !=
        std::string::npos);
  CHECK(cluster.has_crd());
  CHECK(cluster.folder_count() == 1);
}

TEST_CASE("an error that cannot pass ends uninstall, and the CRDs remain") {
  Cluster cluster;
  cluster.create_folder("default", "a");
  const auto forbidden = cluster.server.forbid(
      [](const auto& request) { return request.verb == kube::Verb::kDelete && request.resource.plural == "folders"; });

  const auto failed = cluster.uninstall();

  INFO(text_of(failed));
  CHECK(text_of(failed).find("delete folders.files.example.com default/a: ") != std::string::npos);
  CHECK(cluster.has_crd());
}

}  // namespace
}  // namespace keelson
