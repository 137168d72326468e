// The operator with Databases, in a cluster that is simulated in this process: no API server, no waiting.
#include "cluster.hpp"

using namespace keelson;
using apps::v1::StatefulSet;
using backuppolicy::BackupPolicy;
using batch::v1::CronJob;
using core::v1::PersistentVolumeClaim;
using core::v1::Secret;
using database::Database;

namespace {

const auto kDatabases = kube::resource_of<Database>();
const kube::Key kAdmin("default", "main-admin");
const kube::Key kBackup("default", "main-backup");
const kube::Key kClaim("default", "data-main-0");
constexpr const char* kArchive = "http://archive.database-operator-system.svc";

std::string password(const Cluster& cluster) { return cluster.text<Secret>(kAdmin, {"data", "password"}); }

// The schedule of the backups, "null" without any.
std::string schedule(const Cluster& cluster) { return cluster.text<CronJob>(kBackup, {"spec", "schedule"}); }

std::string claim_template(const Cluster& cluster) {
  const auto object = cluster.get(kube::resource_of<StatefulSet>(), kMain);
  for (const auto claim : object.root().at({"spec", "volumeClaimTemplates"}).items()) {
    return claim.at({"spec", "resources", "requests", "storage"}).text();
  }
  return "";
}

}  // namespace

TEST_CASE("a Database gets a StatefulSet with volumes, a password, a budget and backups") {
  Cluster cluster;
  cluster.begin();

  REQUIRE(cluster.serves());

  CHECK(cluster.text<StatefulSet>(kMain, {"spec", "replicas"}) == "2");
  CHECK(claim_template(cluster) == R"("1Gi")");
  CHECK(cluster.exists<PersistentVolumeClaim>(kClaim));
  CHECK(cluster.text<policy::v1::PodDisruptionBudget>(kMain, {"spec", "maxUnavailable"}) == "1");
  CHECK(schedule(cluster) == R"("0 3 * * *")");
  // 24 characters in base64, in quotes.
  CHECK(password(cluster).size() == 34);
  CHECK(cluster.text<Database>(kMain, {"status", "address"}) == R"("main.default.svc:5432")");
  CHECK(cluster.text<Database>(kMain, {"status", "secret"}) == R"("main-admin")");
  CHECK(cluster.text<Database>(kMain, {"status", "readyReplicas"}) == "2");
}

TEST_CASE("the password is made once, and never changes") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.serves());
  const auto made = password(cluster);

  cluster.crash_manager();
  REQUIRE(cluster.start_manager());
  REQUIRE(cluster.patch(kDatabases, kMain, "spec: {replicas: 3}"));
  REQUIRE(cluster.eventually([&] { return cluster.text<Database>(kMain, {"status", "readyReplicas"}) == "3"; }));
  CHECK(password(cluster) == made);

  SECTION("a deleted Secret is reported, not made again") {
    REQUIRE(cluster.remove(kube::resource_of<Secret>(), kAdmin));
    REQUIRE(cluster.becomes<Database>(kMain, "False PasswordLost"));
    cluster.pass(std::chrono::hours(1));
    CHECK_FALSE(cluster.exists<Secret>(kAdmin));

    REQUIRE(
        cluster.create(kube::resource_of<Secret>(), "default",
                       "{apiVersion: v1, kind: Secret, metadata: {name: main-admin, labels: {db.example.com/database: "
                       "main}}, data: {password: " +
                           made + "}}"));
    CHECK(cluster.serves());
  }
  SECTION("another Database has another password") {
    REQUIRE(cluster.create(kDatabases, "default",
                           "{apiVersion: db.example.com/v1, kind: Database, metadata: {name: other}, spec: {}}"));
    REQUIRE(cluster.becomes<Database>({"default", "other"}, "True Serving"));
    CHECK(cluster.text<Secret>({"default", "other-admin"}, {"data", "password"}) != made);
  }
}

TEST_CASE("a Database is served with one password, whichever reply of the API server is lost") {
  constexpr int kWrites = 9;
  for (int lost = 1; lost <= kWrites; ++lost) {
    INFO("the reply to write number " << lost);
    Cluster cluster;
    int writes = 0;
    std::string made;
    cluster.server.before_write([&](const sandbox::RequestInfo& request) {
      if (made.empty() && cluster.exists<Secret>(kAdmin)) made = password(cluster);
      const bool is_lost = request.user == "manager" && ++writes == lost;
      return is_lost ? sandbox::WriteFate::kReplyLost : sandbox::WriteFate::kProceeds;
    });
    cluster.begin();
    CHECK(cluster.serves());
    CHECK(writes >= lost);
    CHECK(password(cluster) == made);
  }
}

TEST_CASE("a Database that grows gets larger volumes, and its claim template stays") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.serves());

  REQUIRE(cluster.patch(kDatabases, kMain, "spec: {storage: 2Gi}"));
  cluster.pass(std::chrono::minutes(1));
  auto requested = [&] {
    return cluster.text<PersistentVolumeClaim>(kClaim, {"spec", "resources", "requests", "storage"});
  };
  // A claim without a volume cannot be changed.
  CHECK(requested() == R"("1Gi")");

  REQUIRE(cluster.patch(kube::resource_of<PersistentVolumeClaim>(), kClaim, "status: {phase: Bound}", "status"));
  CHECK(cluster.eventually([&] { return requested() == R"("2Gi")"; }));
  CHECK(claim_template(cluster) == R"("1Gi")");
  CHECK(cluster.serves());
}

TEST_CASE("a BackupPolicy that selects a Database by its labels sets its schedule") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.serves());
  auto is_hourly = [&] { return schedule(cluster) == R"("0 * * * *")"; };
  auto is_own = [&] { return schedule(cluster) == R"("0 3 * * *")"; };
  REQUIRE(is_own());

  cluster.create_sample<BackupPolicy>("");
  REQUIRE(cluster.eventually(is_hourly));
  REQUIRE(cluster.becomes<Database>(kMain, "True Policy", "BackupScheduled"));
  CHECK(cluster.text<Database>(kMain, {"status", "backupPolicy"}) == R"("gold")");

  SECTION("until the Database loses the label") {
    REQUIRE(cluster.patch(kDatabases, kMain, "metadata: {labels: {tier: null}}"));
    CHECK(cluster.eventually(is_own));
    REQUIRE(cluster.patch(kDatabases, kMain, "metadata: {labels: {tier: gold}}"));
    CHECK(cluster.eventually(is_hourly));
  }
  SECTION("until the policy selects others") {
    REQUIRE(cluster.patch(kube::resource_of<BackupPolicy>(), kGold,
                          "spec: {databases: {matchLabels: null, matchExpressions: [{key: tier, operator: NotIn, "
                          "values: [gold]}]}}"));
    CHECK(cluster.eventually(is_own));
  }
  SECTION("until the policy is deleted") {
    REQUIRE(cluster.remove(kube::resource_of<BackupPolicy>(), kGold));
    CHECK(cluster.eventually(is_own));
    CHECK(cluster.becomes<Database>(kMain, "True OwnSchedule", "BackupScheduled"));
  }
}

TEST_CASE("a Database without a schedule has no backups") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.serves());

  REQUIRE(cluster.patch(kDatabases, kMain, "spec: {backupSchedule: null}"));

  CHECK(cluster.becomes<Database>(kMain, "False NoSchedule", "BackupScheduled"));
  CHECK_FALSE(cluster.exists<CronJob>(kBackup));
}

TEST_CASE("a deleted Database is gone when the archive has deleted its backups") {
  Cluster cluster;
  bool is_available = false;
  int status = 200;
  cluster.http.serve(kArchive, [&](const net::Request&) -> Result<net::Response> {
    return net::text_response(is_available ? status : 503, "");
  });
  cluster.begin();
  REQUIRE(cluster.serves());
  SECTION("200") { status = 200; }
  SECTION("404, because an earlier deletion has deleted them") { status = 404; }

  REQUIRE(cluster.remove(kDatabases, kMain));
  cluster.pass(std::chrono::minutes(5));
  CHECK(cluster.becomes<Database>(kMain, "False ReconcileFailed"));
  REQUIRE(cluster.http.requests().size() > 3);
  CHECK(cluster.http.requests().front().request.method == "DELETE");
  CHECK(cluster.http.requests().front().url == std::string(kArchive) + "/databases/default/main");

  is_available = true;
  CHECK(cluster.eventually([&] { return !cluster.exists<Database>(kMain); }, std::chrono::hours(1)));
  CHECK(cluster.eventually([&] { return !cluster.exists<StatefulSet>(kMain); }));
  CHECK(cluster.eventually([&] { return !cluster.exists<PersistentVolumeClaim>(kClaim); }));
}

TEST_CASE("the archive's address is a flag, and an archive that hangs is tried again") {
  Cluster cluster;
  cluster.flags["archive-url"] = std::string("https://backups.example.com:8443/v1");
  cluster.http.hang("https://backups.example.com:8443");
  cluster.begin();
  REQUIRE(cluster.serves());

  REQUIRE(cluster.remove(kDatabases, kMain));
  cluster.pass(std::chrono::minutes(2));
  CHECK(cluster.exists<Database>(kMain));
  REQUIRE(cluster.http.requests().size() >= 2);
  CHECK(cluster.http.requests().front().url == "https://backups.example.com:8443/v1/databases/default/main");

  cluster.http.serve("https://backups.example.com:8443",
                     [](const net::Request&) -> Result<net::Response> { return net::text_response(200, ""); });
  CHECK(cluster.eventually([&] { return !cluster.exists<Database>(kMain); }, std::chrono::hours(1)));
}

TEST_CASE("a dry run deletes no backups") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.serves());
  cluster.crash_manager();
  cluster.is_dry_run = true;
  REQUIRE(cluster.start_manager());

  REQUIRE(cluster.remove(kDatabases, kMain));
  cluster.pass(std::chrono::minutes(1));

  CHECK(cluster.exists<Database>(kMain));
  CHECK(cluster.http.requests().empty());
}

TEST_CASE("the webhooks of the running manager compare with the stored Database") {
  Cluster cluster;
  cluster.begin();
  REQUIRE(cluster.serves());
  auto rejection = [&](std::string_view patch) {
    const auto patched = cluster.patch(kDatabases, kMain, patch);
    return patched ? "" : patched.error().message();
  };

  CHECK(rejection("spec: {storage: 512Mi}").find("spec.storage: Forbidden") != std::string::npos);
  CHECK(rejection("spec: {engine: mysql}").find("spec.engine: Forbidden") != std::string::npos);

  // The default, 1Gi, would be smaller.
  REQUIRE(cluster.patch(kDatabases, kMain, "spec: {storage: 2Gi}"));
  REQUIRE(cluster.patch(kDatabases, kMain, "spec: {storage: null, engine: null}"));
  CHECK(cluster.text<Database>(kMain, {"spec", "storage"}) == R"("2Gi")");
  CHECK(cluster.text<Database>(kMain, {"spec", "engine"}) == R"("postgres")");
}

TEST_CASE("a protected Database cannot be deleted") {
  Cluster cluster;
  cluster.http.serve(kArchive,
                     [](const net::Request&) -> Result<net::Response> { return net::text_response(200, ""); });
  cluster.begin();
  REQUIRE(cluster.patch(kDatabases, kMain, "metadata: {annotations: {db.example.com/protected: 'true'}}"));

  const auto removed = cluster.remove(kDatabases, kMain);
  REQUIRE_FALSE(removed);
  CHECK(removed.error().message().find("remove the annotation db.example.com/protected first") != std::string::npos);

  REQUIRE(cluster.patch(kDatabases, kMain, "metadata: {annotations: {db.example.com/protected: null}}"));
  REQUIRE(cluster.remove(kDatabases, kMain));
  CHECK(cluster.eventually([&] { return !cluster.exists<Database>(kMain); }));
}
