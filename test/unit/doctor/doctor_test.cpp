// All checks together, on scripted replies: no finding for a healthy installation, and a finding for every failure.
#include "keelson/detail/doctor/doctor.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "src/doctor/reader.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

TEST_CASE("a healthy installation has no finding, and exit code 0") {
  SeaWorld world;

  const auto report = world.examine();

  INFO(report_text(report));
  CHECK(ids_of(report.findings).empty());
  CHECK(exit_code(report) == 0);
  CHECK(report.ns == "sea-system");
  CHECK(report.deployment == "sea-controller-manager");
  CHECK(report.findings.summary(Area::kWatches) == "lists are streamed, watches have bookmarks");
}

TEST_CASE("every request of the checks may fail, and each failure is a finding") {
  SeaWorld healthy;
  (void)healthy.examine();
  const auto count = healthy.client.requests.size();
  REQUIRE(count > 20);
  const std::vector<Result<std::string>> faults = {status_error(403, "Forbidden", "forbidden"),
                                                   status_error(404, "NotFound", "not found"),
                                                   status_error(500, "InternalError", "broken"),
                                                   transport_error("connection refused"),
                                                   timeout_error("no answer"),
                                                   std::string("{"),
                                                   std::string("[]"),
                                                   std::string("")};
  // A 404 of these means that there is nothing to report: the role was deleted after its binding was read, and a kind
  // that does not exist has a finding of its own.
  const Ids silent = {"list /apis/sea.example.com/v1/boats", "watch /apis/sea.example.com/v1/boats",
                      "get /apis/rbac.authorization.k8s.io/v1/namespaces/sea-system/roles/elect",
                      "list /apis/apps/v1/deployments"};

  for (const auto& fault : faults) {
    for (std::size_t i = 0; i < count; ++i) {
      SeaWorld world;
      world.client.fails_at = i;
      world.client.fault = fault;

      const auto report = world.examine();

      INFO(healthy.client.requests[i] << " " << (fault ? *fault : fault.error().message()));
      INFO(report_text(report));
      const bool is_404 = !fault && kube::is_not_found(fault.error());
      if (is_404 && std::ranges::find(silent, healthy.client.requests[i]) != silent.end()) continue;
      // A review of the user only chooses the kind of the other reviews, and the first lease is read again.
      if (healthy.client.requests[i].ends_with("selfsubjectreviews")) continue;
      if (healthy.client.requests[i].ends_with("leases/sea-manager")) continue;
      if (fault && *fault == "[]") continue;  // empty, whatever it is: the next test
      CHECK_FALSE(report.findings.all().empty());
      CHECK(exit_code(report) > 0);
    }
  }
}

TEST_CASE("an API server that does not answer is the only finding, after one request") {
  SeaWorld world;
  world.client.replies.at("get /version") = transport_error("dial tcp 10.0.0.1:6443: connection refused");

  const auto report = world.examine();

  CHECK(ids_of(report.findings) == Ids{"api-server-unreachable"});
  CHECK(report.findings.all().front().detail == "dial tcp 10.0.0.1:6443: connection refused");
  CHECK(world.client.requests.size() == 1);
  CHECK(exit_code(report) == 2);
}

TEST_CASE("no request is sent after a lost connection") {
  SeaWorld world;
  world.client.replies.at("list /api/v1/namespaces/sea-system/pods") = transport_error("connection refused");

  const auto report = world.examine();

  CHECK(report.findings.has("api-server-unreachable"));
  const auto lost = std::ranges::find(world.client.requests, "list /api/v1/namespaces/sea-system/pods");
  // The requests that were sent together with it.
  CHECK(world.client.requests.end() - lost <= static_cast<std::ptrdiff_t>(limits::kDoctorRequests));
}

TEST_CASE("an API server that hangs after the first replies has no findings about watches and leases") {
  for (const char* hanging : {"list /apis/apps/v1/deployments", "watch /apis/sea.example.com/v1/boats"}) {
    SeaWorld world;
    world.client.hangs_at = hanging;

    const auto report = world.examine();

    INFO(report_text(report));
    CHECK_FALSE(report.findings.has("watch-without-bookmarks"));
    CHECK_FALSE(report.findings.has("lease-missing"));
    CHECK(report.findings.has("check-failed"));
    const bool is_unknown = std::string(hanging).starts_with("list");
    CHECK((report.findings.worst(Area::kLease) == Severity::kUnknown) == is_unknown);
    CHECK(report_text(report).find("does not exist") == std::string::npos);
    CHECK(exit_code(report) == 1);
  }
}

TEST_CASE("an API server that accepts the first request and sends nothing is the only finding") {
  SeaWorld world;
  world.client.hangs_at = "get /version";

  const auto report = world.examine();

  CHECK(ids_of(report.findings) == Ids{"api-server-unreachable"});
  CHECK(std::string(report.findings.all().front().cause()).find("hangs") != std::string::npos);
}

TEST_CASE("a namespace of --watch-namespaces that does not exist is found, with the name that was meant") {
  SeaWorld world;
  world.flags.watch_namespaces = {"production", "prodution"};
  world.client.replies.emplace("get /api/v1/namespaces/production", std::string("{}"));
  world.client.replies.emplace("list /api/v1/namespaces",
                               list_json(R"({"metadata":{"name":"default"}},{"metadata":{"name":"production"}})"));

  const auto report = world.examine();

  INFO(report_text(report));
  REQUIRE(report.findings.has("watch-namespace-missing"));
  const auto all = report.findings.all();
  const auto found =
      std::ranges::find_if(all, [](const auto& one) { return one.kind->id == "watch-namespace-missing"; });
  CHECK(found->subject == "namespaces/prodution");
  CHECK(found->detail == "did you mean production?");
}

TEST_CASE("an object that takes the name of a child is named with its controller, or with its writers") {
  const auto stalled =
      R"({"metadata":{"namespace":"a","name":"x","generation":1},"status":{"conditions":[{"type":"Stalled",)"
      R"("status":"True","reason":"NotOwned","message":"Deployment a/x exists and is not controlled by this Boat."}]}})";
  const std::string ship = R"({"metadata":{"ownerReferences":[{"apiVersion":"sea/v1","kind":"Ship","name":"s",)"
                           R"("controller":true}],"managedFields":[{"manager":"ships"}]}})";
  const std::string applied = R"({"metadata":{"managedFields":[{"manager":"helm"},{"manager":"kubectl-edit"}]}})";
  for (const auto& [object, words] : {std::pair(ship, "controlled by Ship s (sea/v1), and its fields are of ships"),
                                      std::pair(applied, "no controller, and its fields are of helm, kubectl-edit")}) {
    SeaWorld world;
    world.client.replies.at("list /apis/sea.example.com/v1/boats") = list_json(stalled);
    world.client.replies.emplace("get /apis/apps/v1/namespaces/a/deployments/x", object);

    const auto report = world.examine();

    INFO(report_text(report));
    REQUIRE(ids_of(report.findings) == Ids{"object-child-not-owned"});
    CHECK(report.findings.all().front().subject == "boats.sea.example.com/a/x");
    CHECK(report.findings.all().front().detail.find(words) != std::string::npos);
  }
}

TEST_CASE("rejected credentials end the checks") {
  SeaWorld world;
  world.client.replies.at("get /version") = status_error(401, "Unauthorized", "Unauthorized");

  const auto report = world.examine();

  CHECK(ids_of(report.findings) == Ids{"credentials-rejected"});
}

TEST_CASE("a user without permissions gets unknown checks with the missing permission, and exit code 1") {
  SeaWorld world;
  for (auto& [key, reply] : world.client.replies) {
    if (key != "get /version") reply = status_error(403, "Forbidden", key + " is forbidden");
  }

  const auto report = world.examine();

  INFO(report_text(report));
  for (const auto& finding : report.findings.all()) CHECK(finding.kind->id == "check-forbidden");
  CHECK(report.findings.worst(Area::kKinds) == Severity::kUnknown);
  CHECK(report.findings.worst(Area::kPermissions) == Severity::kUnknown);
  CHECK(exit_code(report) == 1);
}

TEST_CASE("if the first access review is rejected, no other one is sent") {
  SeaWorld world;
  const std::string review = "create /apis/authorization.k8s.io/v1/subjectaccessreviews";
  world.client.replies.at(review) = status_error(403, "Forbidden", "forbidden");

  const auto report = world.examine();

  CHECK(std::ranges::count(world.client.requests, review) == 1);
  CHECK(ids_of(report.findings) == Ids{"check-forbidden"});
}

TEST_CASE("the manager itself reviews its own permissions") {
  SeaWorld world;
  world.client.replies.at("create /apis/authentication.k8s.io/v1/selfsubjectreviews") =
      std::string(R"({"status":{"userInfo":{"username":"system:serviceaccount:sea-system:sailor"}}})");
  world.client.replies.emplace("create /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                               std::string(R"({"status":{"allowed":true}})"));
  world.client.replies.erase("create /apis/authorization.k8s.io/v1/subjectaccessreviews");

  const auto report = world.examine();

  CHECK(ids_of(report.findings).empty());
}

TEST_CASE("two reads of the lease find a holder that changes") {
  SeaWorld world;
  std::string other(kLease);
  other.replace(other.find("sea-1_x"), 7, "sea-1_y");
  world.client.fails_at = 3;  // the first read of the lease, after the version, the Deployments, the pods
  world.client.fault = Result<std::string>(other);

  SeaWorld healthy;
  (void)healthy.examine();
  const auto first = std::ranges::find(healthy.client.requests,
                                       "get /apis/coordination.k8s.io/v1/namespaces/sea-system/leases/sea-manager");
  world.client.fails_at = static_cast<std::size_t>(first - healthy.client.requests.begin());

  const auto report = world.examine();

  CHECK(ids_of(report.findings) == Ids{"lease-contended"});
}

TEST_CASE("a cluster without a Deployment of the operator is examined as far as possible") {
  SeaWorld world;
  world.client.replies.at("list /apis/apps/v1/deployments") = list_json("");
  world.client.replies.emplace("create /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                               std::string(R"({"status":{"allowed":true}})"));

  const auto report = world.examine();

  CHECK(ids_of(report.findings) == Ids{"manager-not-deployed"});
  CHECK(report.ns == "default");
  CHECK(report.findings.summary(Area::kPermissions).find(" permissions are granted") != std::string::npos);
}

TEST_CASE("a second installation is a finding unless it reconciles other objects") {
  for (const bool is_separate : {false, true}) {
    SeaWorld world;
    std::string other(kDeployment);
    other.replace(other.find("sea-system"), 10, "bay-system");
    other.replace(other.find("--leader-elect"), 14, "--other");
    world.client.replies.at("list /apis/apps/v1/deployments") = list_json(std::string(kDeployment) + "," + other);
    auto examined = world.examined();
    examined.default_ns = "sea-system";
    examined.parse_flags = [flags = world.flags, is_separate](const ManagerContainer& container) {
      auto own = flags;
      const bool is_other = std::ranges::count(container.arguments, "--other") > 0;
      own.watch_namespaces = {is_other && is_separate ? "bay" : "sea"};
      return Result<DeployedFlags>(own);
    };

    Report report;
    world.loop.run([&]() -> boost::asio::awaitable<void> {
      co_await doctor::examine(world.client, world.loop.clock(), examined, report);
    });

    INFO(report_text(report));
    CHECK(report.deployment == "sea-controller-manager");
    CHECK(report.findings.has("several-deployments") != is_separate);
  }
}

TEST_CASE("what depends on flags in a file is not examined") {
  SeaWorld world;
  world.flags.are_in_file = true;
  world.flags.metrics = DeployedFlags::Metrics::kOff;
  world.client.replies.erase("get /apis/coordination.k8s.io/v1/namespaces/sea-system/leases/sea-manager");

  const auto report = world.examine();

  INFO(report_text(report));
  CHECK(ids_of(report.findings) == Ids{"flags-in-file"});
  CHECK(exit_code(report) == 1);
}

TEST_CASE("the identity of a pod in the network of its node begins with the node's name") {
  SeaWorld world;
  std::string pod(kPod);
  pod.replace(pod.find(R"("spec":{)"), 8, R"("spec":{"hostNetwork":true,"nodeName":"node-1",)");
  std::string lease(kLease);
  lease.replace(lease.find("sea-1_x"), 7, "node-1_x");
  world.client.replies.at("list /api/v1/namespaces/sea-system/pods") = list_json(pod);
  world.client.replies.at("get /apis/coordination.k8s.io/v1/namespaces/sea-system/leases/sea-manager") = lease;

  const auto report = world.examine();

  CHECK(ids_of(report.findings).empty());
}

TEST_CASE("the Deployment is searched in pages, and only so many") {
  SeaWorld world;
  const std::string list = "list /apis/apps/v1/deployments";
  world.client.replies.at(list) = std::string(R"({"metadata":{"continue":"more"},"items":[]})");

  const auto report = world.examine();

  CHECK(report.findings.has("manager-not-deployed"));
  CHECK(std::ranges::count(world.client.requests, list) == limits::kSearchedPages + 1);  // and a sample of the children
}

TEST_CASE("bindings are read in pages, and only so many") {
  SeaWorld world;
  const std::string list = "list /apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  world.client.replies.at(list) = std::string(R"({"metadata":{"continue":"more"},"items":[]})");

  const auto report = world.examine();

  CHECK(std::ranges::count(world.client.requests, list) == limits::kSearchedPages);
  CHECK(exit_code(report) == 0);
}

}  // namespace
}  // namespace keelson::doctor
