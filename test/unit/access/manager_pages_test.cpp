// Which pods of the manager are asked. The requests are tested with their users, `explain` and `doctor`.
#include "keelson/detail/access/manager_pages.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::access {
namespace {

std::string pod(const std::string& name, const std::string& phase, const std::string& metadata = "") {
  return R"({"metadata":{"name":")" + name + '"' + metadata +
         R"(},"spec":{"serviceAccountName":"manager","containers":[)"
         R"({"name":"proxy","ports":[{"name":"https","containerPort":8443}]},)"
         R"({"name":"manager","ports":[{"name":"health","containerPort":9081}]}]},"status":{"phase":")" +
         phase + R"("}})";
}

std::vector<ManagerPod> pods_of(const std::vector<std::string>& texts, std::string_view holder) {
  std::vector<json::Document> documents;
  std::vector<json::View> roots;
  for (const auto& text : texts) {
    auto document = json::Document::parse(text);
    REQUIRE(document);
    roots.push_back(document->root());
    documents.push_back(std::move(*document));
  }
  return manager_pods(roots, holder);
}

TEST_CASE("the leader's pod is first, with its port of the name health and its account") {
  const auto pods = pods_of({pod("m-1", "Running"), pod("m-2", "Running"), pod("m-3", "Pending")}, "m-2_0b5e");

  REQUIRE(pods.size() == 2);
  CHECK(pods[0].name == "m-2");
  CHECK(pods[0].port == 9081);
  CHECK(pods[0].service_account == "manager");
  CHECK(pods[1].name == "m-1");
}

TEST_CASE("a pod whose name begins with that of the leader's is not the leader") {
  const std::vector<std::string> both{pod("m-22", "Running"), pod("m-2", "Running")};

  CHECK(pods_of(both, "m-22_0b5e")[0].name == "m-22");
  CHECK(pods_of(both, "m-2_0b5e")[0].name == "m-2");
}

TEST_CASE("without a leader the first running pod is first, and pods that are being deleted are not asked") {
  const auto leaving = pod("m-1", "Running", R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")");

  CHECK(pods_of({leaving, pod("m-2", "Running"), pod("m-3", "Running")}, "host_1").front().name == "m-2");
  CHECK(pods_of({leaving, R"({"metadata":{"name":"m-4"},"status":{"phase":"Running"}})"}, "").front().port == 8081);
  CHECK(pods_of({leaving}, "m-1_0b5e").empty());
}

}  // namespace
}  // namespace keelson::access
