// The operator with DatabaseUsers, in a cluster that is simulated in this process: no API server, no waiting.
#include "cluster.hpp"

using namespace keelson;
using batch::v1::Job;
using core::v1::Secret;
using database::Database;
using databaseuser::DatabaseUser;

namespace {

const auto kUsers = kube::resource_of<DatabaseUser>();
const kube::Key kPassword("default", "reports-user");

std::vector<std::string> jobs(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const auto& job : cluster.server.objects(kube::resource_of<Job>())) names.emplace_back(job.name());
  return names;
}

void serve_archive(Cluster& cluster) {
  cluster.http.serve("http://archive.database-operator-system.svc",
                     [](const net::Request&) -> Result<net::Response> { return net::text_response(200, ""); });
}

}  // namespace

TEST_CASE("a DatabaseUser waits for its Database, and then gets a password and is created in it") {
  Cluster cluster;
  REQUIRE(cluster.start_manager());
  cluster.create_sample<DatabaseUser>();
  REQUIRE(cluster.becomes<DatabaseUser>(kReports, "False DatabaseMissing"));
  CHECK(cluster.condition<DatabaseUser>(kReports, "Stalled") == "True DatabaseMissing");

  // A Service that is not owned keeps the Database from being ready.
  REQUIRE(cluster.create(kube::services(), "default",
                         "{apiVersion: v1, kind: Service, metadata: {name: main}, spec: {ports: [{port: 1}]}}"));
  cluster.create_sample<Database>();
  REQUIRE(cluster.becomes<DatabaseUser>(kReports, "False DatabaseNotReady"));
  CHECK_FALSE(cluster.exists<Secret>(kPassword));

  REQUIRE(cluster.remove(kube::services(), kMain));
  REQUIRE(cluster.becomes<DatabaseUser>(kReports, "True Created"));
  CHECK(cluster.exists<Secret>(kPassword));
  CHECK(jobs(cluster).size() == 1);
  CHECK(cluster.text<DatabaseUser>(kReports, {"status", "address"}) == R"("main.default.svc:5432")");
}

TEST_CASE("a DatabaseUser follows its Database") {
  Cluster cluster;
  serve_archive(cluster);
  cluster.begin();
  cluster.create_sample<DatabaseUser>();
  REQUIRE(cluster.becomes<DatabaseUser>(kReports, "True Created"));
  const auto first = jobs(cluster);
  const auto password = cluster.text<Secret>(kPassword, {"data", "password"});

  SECTION("it is not ready while the Database is not") {
    REQUIRE(cluster.remove(kube::resource_of<Secret>(), {"default", "main-admin"}));
    CHECK(cluster.becomes<DatabaseUser>(kReports, "False DatabaseNotReady"));
    CHECK(jobs(cluster) == first);
  }
  SECTION("it is created again in a new Database of that name") {
    REQUIRE(cluster.remove(kube::resource_of<Database>(), kMain));
    REQUIRE(cluster.becomes<DatabaseUser>(kReports, "False DatabaseMissing"));
    cluster.create_sample<Database>();
    REQUIRE(cluster.becomes<DatabaseUser>(kReports, "True Created"));
    CHECK(jobs(cluster).size() == 1);
    CHECK(jobs(cluster) != first);
    CHECK(cluster.text<Secret>(kPassword, {"data", "password"}) == password);
  }
  SECTION("another role needs another Job") {
    REQUIRE(cluster.patch(kUsers, kReports, "spec: {role: writer}"));
    REQUIRE(cluster.eventually([&] { return jobs(cluster).size() == 1 && jobs(cluster) != first; }));
    CHECK(cluster.becomes<DatabaseUser>(kReports, "True Created"));
    CHECK(jobs(cluster).front().starts_with("reports-writer-"));
  }
}

TEST_CASE("a DatabaseUser stays in its Database") {
  Cluster cluster;
  REQUIRE(cluster.start_manager());
  cluster.create_sample<DatabaseUser>();
  const auto patched = cluster.patch(kUsers, kReports, "spec: {database: other}");
  REQUIRE_FALSE(patched);
  CHECK(patched.error().message().find("create another DatabaseUser") != std::string::npos);
}

TEST_CASE("a DatabaseUser is created, whichever reply of the API server is lost") {
  constexpr int kWrites = 14;
  for (int lost = 1; lost <= kWrites; ++lost) {
    INFO("the reply to write number " << lost);
    Cluster cluster;
    int writes = 0;
    cluster.server.before_write([&](const sandbox::RequestInfo& request) {
      const bool is_lost = request.user == "manager" && ++writes == lost;
      return is_lost ? sandbox::WriteFate::kReplyLost : sandbox::WriteFate::kProceeds;
    });
    cluster.begin();
    cluster.create_sample<DatabaseUser>();
    CHECK(cluster.becomes<DatabaseUser>(kReports, "True Created"));
    CHECK(writes >= lost);
    CHECK(jobs(cluster).size() == 1);
  }
}
