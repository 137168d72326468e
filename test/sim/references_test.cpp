// Definition::refers_to and indexed_by, as an author uses them.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Secret;

struct VaultSpec {
  std::string secret;
  std::string backup;
};
void describe(kube::Description& d, VaultSpec& spec) {
  d.field("secret", spec.secret, "A Secret.").required();
  d.field("backup", spec.backup, "Another Secret.");
}

struct Vault : CustomResource<VaultSpec> {
  static constexpr kube::Identity kIdentity{"vault.example.com", "v1", "Vault"};
};

std::vector<std::string> secret_of(const Vault& vault) { return {vault.spec.secret}; }
std::vector<std::string> backup_of(const Vault& vault) { return {vault.spec.backup}; }

// The ConfigMap has the digest of the Secret, and the number of Vaults that name it.
Reconciled reconcile(const Vault& vault, Pass<Vault>& pass) {
  KEELSON_CO_LET(const auto digest, pass.digest<Secret>(vault.spec.secret));
  KEELSON_CO_LET(const auto backup, pass.digest<Secret>(vault.spec.backup));
  // The informer has an index for owners itself.
  KEELSON_CO_LET(const auto others, pass.by_index<Vault>("owner", vault.spec.secret));
  ConfigMap seen{.metadata = {.name = vault.name()},
                 .data = {{"digest", digest.value_or("none")},
                          {"backup", backup.value_or("none")},
                          {"vaults", std::to_string(others.size())}}};
  KEELSON_CO_TRY(co_await pass.apply(seen));
  co_return done();
}

controller::Definition vault() {
  return controller_for<Vault>(reconcile)
      .owns<ConfigMap>()
      .refers_to<Secret>(secret_of)
      .refers_to<Secret>(backup_of)
      .indexed_by("owner", secret_of);
}

struct VaultCluster : sandbox::SimulatedCluster {
  explicit VaultCluster(controller::Definition definition = vault()) : SimulatedCluster(std::move(definition)) {
    REQUIRE(start_manager());
  }

  void add_vault(const std::string& ns, const std::string& name) {
    REQUIRE(create(kube::resource_of<Vault>(), ns,
                   "apiVersion: vault.example.com/v1\nkind: Vault\nmetadata: {name: " + name +
                       "}\nspec: {secret: password, backup: old-password}\n"));
  }
  std::string seen(const std::string& name, std::string_view field) {
    const auto seen = get(kube::resource_of<ConfigMap>(), {"default", name});
    return std::string(seen.root().at({"data", field}).string().value_or(""));
  }
};

TEST_CASE("an object is reconciled when a Secret that it names is created, changed or deleted") {
  VaultCluster world;
  const auto secrets = kube::resource_of<Secret>();
  const kube::Key password("default", "password");
  world.add_vault("default", "a");
  REQUIRE(world.eventually([&] { return world.seen("a", "digest") == "none"; }));

  REQUIRE(world.create(secrets, "default", R"({"metadata":{"name":"password"},"data":{"p":"YQ=="}})"));
  REQUIRE(world.eventually([&] { return world.seen("a", "digest").size() == 64; }));
  const auto first = world.seen("a", "digest");

  REQUIRE(world.patch(secrets, password, R"({"data":{"p":"Yg=="}})"));
  REQUIRE(world.eventually([&] { return world.seen("a", "digest") != first; }));
  const auto writes = world.writes(kube::resource_of<ConfigMap>(), "", 200);
  REQUIRE(world.patch(secrets, password, R"({"metadata":{"labels":{"a":"b"}}})"));
  world.pass(1min);
  CHECK(world.writes(kube::resource_of<ConfigMap>(), "", 200) == writes);

  REQUIRE(world.remove(secrets, password));
  REQUIRE(world.eventually([&] { return world.seen("a", "digest") == "none"; }));
}

TEST_CASE("an object is reconciled when a Secret changes that only the second of two references names") {
  VaultCluster world;
  world.add_vault("default", "a");
  REQUIRE(world.eventually([&] { return world.seen("a", "backup") == "none"; }));

  REQUIRE(world.create(kube::resource_of<Secret>(), "default", R"({"metadata":{"name":"old-password"}})"));

  REQUIRE(world.eventually([&] { return world.seen("a", "backup").size() == 64; }));
  CHECK(world.seen("a", "digest") == "none");
}

TEST_CASE("a controller that owns Secrets and refers to some reads the digest of both") {
  VaultCluster world(std::move(vault().owns<Secret>()));
  world.add_vault("default", "a");

  REQUIRE(world.create(kube::resource_of<Secret>(), "default", R"({"metadata":{"name":"password"}})"));

  REQUIRE(world.eventually([&] { return world.seen("a", "digest").size() == 64; }));
}

TEST_CASE("a Secret of the same name in another namespace does not start a reconcile") {
  VaultCluster world;
  world.add_vault("default", "a");
  REQUIRE(world.eventually([&] { return world.seen("a", "digest") == "none"; }));

  REQUIRE(world.create(kube::resource_of<Secret>(), "kube-system", R"({"metadata":{"name":"password"}})"));
  world.pass(1min);

  CHECK(world.seen("a", "digest") == "none");
}

TEST_CASE("an index of the controller's own kind finds the objects with a value") {
  VaultCluster world;
  world.add_vault("default", "a");
  world.add_vault("default", "b");

  REQUIRE(world.create(kube::resource_of<Secret>(), "default", R"({"metadata":{"name":"password"}})"));

  REQUIRE(world.eventually([&] { return world.seen("a", "vaults") == "2" && world.seen("b", "vaults") == "2"; }));
}

}  // namespace
}  // namespace keelson
