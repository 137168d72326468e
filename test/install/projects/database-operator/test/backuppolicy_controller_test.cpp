// The operator with BackupPolicies, in a cluster that is simulated in this process: no API server, no waiting.
#include "cluster.hpp"
#include "keelson/api/core/v1/namespace.hpp"

using namespace keelson;
using backuppolicy::BackupPolicy;
using database::Database;

TEST_CASE("a BackupPolicy counts the Databases that it selects, in all namespaces") {
  Cluster cluster;
  cluster.begin();
  cluster.create_sample<BackupPolicy>("");
  auto has_count = [&](std::string_view count) {
    return cluster.eventually([&] { return cluster.text<BackupPolicy>(kGold, {"status", "databases"}) == count; });
  };
  REQUIRE(has_count("1"));
  CHECK(cluster.becomes<BackupPolicy>(kGold, "True Applied"));

  REQUIRE(cluster.create(kube::resource_of<core::v1::Namespace>(), "",
                         "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"));
  cluster.create_sample<Database>("shop");
  CHECK(has_count("2"));
  REQUIRE(cluster.patch(kube::resource_of<Database>(), kMain, "metadata: {labels: {tier: silver}}"));
  CHECK(has_count("1"));
}

TEST_CASE("a BackupPolicy with an invalid selector is reported, and sets no schedule") {
  Cluster cluster(false);
  cluster.begin();
  cluster.create_sample<BackupPolicy>("");
  REQUIRE(cluster.becomes<BackupPolicy>(kGold, "True Applied"));

  REQUIRE(cluster.patch(kube::resource_of<BackupPolicy>(), kGold,
                        "spec: {databases: {matchExpressions: [{key: tier, operator: Like, values: [gold]}]}}"));

  CHECK(cluster.becomes<BackupPolicy>(kGold, "False InvalidSelector"));
  CHECK(cluster.becomes<Database>(kMain, "True OwnSchedule", "BackupScheduled"));
}
