// `install` on the API server in this process: upgrades, dry runs, and a failure at every request.
#include "keelson/detail/install/install.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/sim/folder_cluster.hpp"

namespace keelson::testing {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("install creates a CRD, then leaves it unchanged without a write") {
  FolderCluster cluster;
  CHECK(cluster.lines == Lines{"folders.files.example.com created"});
  const auto version = cluster.server.resource_version();

  REQUIRE(cluster.install());

  CHECK(cluster.lines == Lines{"folders.files.example.com unchanged"});
  CHECK(cluster.server.resource_version() == version);
}

TEST_CASE("a dry run of install says what it would do and stores nothing") {
  FolderCluster cluster;
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
  FolderCluster cluster;
  auto both = kind_with("v2");
  both.other_versions = {kind_with("v1")};
  REQUIRE(cluster.install({.kinds = {both}}));
  const auto version = cluster.server.resource_version();

  const auto refused = cluster.install({.kinds = {kind_with("v2")}});

  CHECK(error_text(refused).starts_with("nothing was changed"));
  CHECK(error_text(refused).find("objects may be stored in version v1, which this program lacks (it has v2)") !=
        std::string::npos);
  CHECK(cluster.server.resource_version() == version);
  REQUIRE(cluster.patch(kube::custom_resource_definitions(), {"", "folders.files.example.com"},
                        R"({"status":{"storedVersions":["v2"]}})"));
}

TEST_CASE("install after a failure of any request completes what it began") {
  int failures = 0;
  for (int number = 1;; ++number) {
    INFO("request " << number);
    FolderCluster cluster;
    REQUIRE(cluster.uninstall());
    const auto has_failed = fail_request(cluster, number, transport_error("the connection was reset"));

    const auto first = cluster.install();
    if (!*has_failed) break;
    ++failures;

    CHECK(error_text(first).find("the connection was reset") != std::string::npos);
    REQUIRE(cluster.install());
    CHECK(cluster.has_crd());
  }
  // The get before the apply, the apply, and the get after it.
  CHECK(failures == 3);
}

}  // namespace
}  // namespace keelson::testing
