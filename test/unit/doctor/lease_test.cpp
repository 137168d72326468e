#include "src/doctor/lease.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

// A lease that was renewed on 2026-01-01T00:00:00Z.
std::string lease(const std::string& holder, const std::string& more = "") {
  return R"({"metadata":{"namespace":"sea-system")" + more + R"(},"spec":{"holderIdentity":")" + holder +
         R"(","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z","leaseTransitions":1}})";
}

struct Given {
  std::string first = lease("sea-1_x");
  std::string second = lease("sea-1_x");
  std::string all = "";
  int replicas = 1;
  bool has_deployment = true;
  bool are_pods_known = true;
  std::vector<std::string> separate_namespaces = {};
  const char* now = "2026-01-01T00:00:03Z";
  std::string problem = {};
};

Findings findings_of(const Given& given) {
  LeaseFacts facts{.ns = "sea-system",
                   .name = "sea-manager",
                   .first = json::Document::parse(given.first),
                   .second = json::Document::parse(given.second),
                   .of_all_namespaces = json::Document::parse(list_json(given.all)),
                   .separate_namespaces = given.separate_namespaces,
                   .pods = {"sea-1"},
                   .are_pods_known = given.are_pods_known,
                   .has_deployment = given.has_deployment,
                   .replicas = given.replicas,
                   .problem = given.problem,
                   .now = *kube::parse_time(given.now)};
  if (given.second.empty()) facts.second = status_error(404, "NotFound");
  Findings findings;
  check_lease(facts, findings);
  return findings;
}

TEST_CASE("each state of a lease has its finding") {
  CHECK(ids_of(findings_of({})).empty());
  CHECK(ids_of(findings_of({.second = ""})) == Ids{"lease-missing"});
  CHECK(ids_of(findings_of({.second = "", .replicas = 0})).empty());
  CHECK(ids_of(findings_of({.first = lease(""), .second = lease("")})) == Ids{"lease-released"});
  CHECK(ids_of(findings_of({.first = lease(""), .second = lease(""), .replicas = 0})).empty());
  CHECK(ids_of(findings_of({.now = "2026-01-01T00:00:15Z"})).empty());
  CHECK(ids_of(findings_of({.now = "2026-01-01T00:00:16Z"})) == Ids{"lease-expired"});
  // Nothing runs, so nothing renews it.
  CHECK(ids_of(findings_of({.replicas = 0, .now = "2026-01-01T01:00:00Z"})).empty());
  CHECK(ids_of(findings_of({.first = lease("laptop_x"), .second = lease("laptop_x")})) ==
        Ids{"lease-holder-elsewhere"});
  CHECK(
      ids_of(findings_of({.first = lease("laptop_x"), .second = lease("laptop_x"), .has_deployment = false})).empty());
  CHECK(
      ids_of(findings_of({.first = lease("laptop_x"), .second = lease("laptop_x"), .are_pods_known = false})).empty());
  CHECK(ids_of(findings_of({.first = lease("sea-1_y")})) == Ids{"lease-contended"});
  CHECK(ids_of(findings_of({.first = "{}", .second = "{}"})) == Ids{"lease-released"});
}

TEST_CASE("the error of the manager is in the finding about a lease without a leader, and decides its cause") {
  const std::string full = "etcdserver: mvcc: database space exceeded";
  const auto expired = findings_of({.now = "2026-01-01T00:00:33Z", .problem = full});
  REQUIRE(ids_of(expired) == Ids{"lease-expired"});
  CHECK(expired.all().front().detail == "held by sea-1_x, renewed 33 s ago; the manager reports: " + full);
  CHECK(expired.all().front().remedy().find("etcdctl alarm disarm") != std::string_view::npos);
  CHECK(findings_of({.second = "", .problem = full}).all().front().detail == "the manager reports: " + full);
  const auto other = findings_of({.now = "2026-01-01T00:00:33Z", .problem = "new"});
  CHECK(other.all().front().remedy() == find_kind("lease-expired")->remedy);
  // A leader that is only slow now is not without a lease.
  CHECK(ids_of(findings_of({.problem = full})).empty());
}

TEST_CASE("a lease of the same name in another namespace counts while it is held") {
  auto other = lease("laptop_x");
  other.replace(other.find("sea-system"), 10, "default");
  CHECK(ids_of(findings_of({.all = lease("sea-1_x") + "," + other})) == Ids{"lease-in-two-namespaces"});
  CHECK(ids_of(findings_of({.all = other, .separate_namespaces = {"default"}})).empty());
  CHECK(ids_of(findings_of({.second = "", .all = other, .replicas = 0})).empty());
  CHECK(ids_of(findings_of({.all = other, .replicas = 0, .now = "2026-01-01T00:01:00Z"})).empty());
}

TEST_CASE("the clock of the manager is compared with the API server's time of its last renewal") {
  const auto written = [](const char* time) {
    return lease("sea-1_x",
                 std::string(R"(,"managedFields":[{"manager":"k","time":"2020-01-01T00:00:00Z","fieldsV1":{}},)"
                             R"({"manager":"m","time":")") +
                     time + R"(","fieldsV1":{"f:spec":{"f:renewTime":{}}}}])");
  };
  CHECK(ids_of(findings_of({.second = written("2026-01-01T00:00:02Z")})).empty());
  const auto late = findings_of({.second = written("2026-01-01T01:00:00Z")});
  REQUIRE(ids_of(late) == Ids{"manager-clock-skew"});
  CHECK(late.all().front().detail == "the manager's is 3600 s behind");
}

}  // namespace
}  // namespace keelson::doctor
