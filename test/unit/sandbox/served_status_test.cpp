// The conditions that the API server itself writes: those of FlowSchemas and of APIServices.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>

#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

const std::string kFlows = "/apis/flowcontrol.apiserver.k8s.io/v1/";
const std::string kRegistered = "/apis/apiregistration.k8s.io/v1/apiservices";

std::string condition_at(fixtures::HttpTalk& talk, const std::string& path) {
  talk.pass(std::chrono::seconds(1));
  const auto object = talk.json(path);
  const auto& conditions = object.items_at({"status", "conditions"});
  REQUIRE(conditions.size() == 1);
  return conditions[0].text_at({"type"}) + " " + conditions[0].text_at({"status"}) + " " +
         conditions[0].text_at({"reason"});
}

TEST_CASE("a new cluster has the API server's own flow schemas, whose priority levels exist") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());

  CHECK(talk.json(kFlows + "flowschemas").items_at({"items"}).size() == 11);
  CHECK(talk.json(kFlows + "prioritylevelconfigurations").items_at({"items"}).size() == 8);
  CHECK(condition_at(talk, kFlows + "flowschemas/global-default") == "Dangling False Found");
}

TEST_CASE("a flow schema dangles while its priority level does not exist") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  REQUIRE(talk.send("POST", kFlows + "flowschemas",
                    R"({"metadata":{"name":"f"},"spec":{"priorityLevelConfiguration":{"name":"later"}}})")
              .status == 201);

  CHECK(condition_at(talk, kFlows + "flowschemas/f") == "Dangling True NotFound");
  REQUIRE(talk.send("POST", kFlows + "prioritylevelconfigurations",
                    R"({"metadata":{"name":"later"},"spec":{"type":"Limited","limited":{"limitResponse":)"
                    R"({"type":"Reject"}}}})")
              .status == 201);
  CHECK(condition_at(talk, kFlows + "flowschemas/f") == "Dangling False Found");
  const auto owners = talk.json(kFlows + "flowschemas/f").items_at({"metadata", "managedFields"});
  CHECK(std::ranges::any_of(owners, [](const Tree& owner) {
    return owner.text_at({"manager"}) == "api-priority-and-fairness-config-consumer-v1" &&
           owner.text_at({"operation"}) == "Apply" && owner.text_at({"subresource"}) == "status";
  }));
}

TEST_CASE("an API service of a service is unavailable, and a local one is available") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const std::string spec = R"("spec":{"group":"a.example.com","groupPriorityMinimum":1,"versionPriority":1,)";
  REQUIRE(talk.send("POST", kRegistered,
                    R"({"metadata":{"name":"v1.a.example.com"},)" + spec +
                        R"("version":"v1","service":{"namespace":"default","name":"s"},"insecureSkipTLSVerify":true}})")
              .status == 201);
  REQUIRE(talk.send("POST", kRegistered, R"({"metadata":{"name":"v2.a.example.com"},)" + spec + R"("version":"v2"}})")
              .status == 201);

  CHECK(condition_at(talk, kRegistered + "/v1.a.example.com") == "Available False ServiceNotFound");
  CHECK(condition_at(talk, kRegistered + "/v2.a.example.com") == "Available True Local");
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/services",
                    R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}})")
              .status == 201);
  CHECK(condition_at(talk, kRegistered + "/v1.a.example.com") == "Available False ServicePortError");
}

}  // namespace
}  // namespace keelson::sandbox
