// Kinds that are served in two versions and share their objects.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

const kube::Resource kScalersV1("autoscaling", "v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers");
const kube::Resource kScalersV2("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers");

std::string text_at(const kube::Object& object, std::initializer_list<std::string_view> path) {
  auto document = json::Document::parse(object.json());
  return document->root().at(path).text();
}

TEST_CASE("an Event that is written in one version is read, listed and watched in the other") {
  fixtures::Talk talk;
  auto stream = talk.ask(talk.client().stream(fixtures::watch_of(kube::events())));
  REQUIRE(stream);
  const std::string body =
      R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p","namespace":"default"},"reason":"Started",)"
      R"("message":"text","source":{"component":"kubelet"},"count":3,"type":"Normal"})";

  REQUIRE(talk.ask(kube::create(talk.client(), kube::core_events(), "default", body)));

  auto found = talk.ask(kube::get(talk.client(), kube::events(), {"default", "e"}));
  REQUIRE(found);
  CHECK(text_at(*found, {"apiVersion"}) == R"("events.k8s.io/v1")");
  CHECK(text_at(*found, {"note"}) == R"("text")");
  CHECK(text_at(*found, {"deprecatedCount"}) == "3");
  CHECK(text_at(*found, {"regarding", "name"}) == R"("p")");
  CHECK(talk.server.objects(kube::events()).size() == 1);
  auto seen = talk.read_ready(**stream);
  CHECK(seen.find(R"("note":"text")") != std::string::npos);
  CHECK(seen.find(R"("involvedObject":{)") == std::string::npos);
}

TEST_CASE("an Event of events.k8s.io is patched, selected by its own fields and deleted") {
  fixtures::Talk talk;
  const std::string body =
      R"({"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z","regarding":{"kind":"Pod","name":"p"},)"
      R"("reason":"Started","note":"text","action":"Start","reportingController":"c","reportingInstance":"i",)"
      R"("type":"Normal"})";
  REQUIRE(talk.ask(kube::create(talk.client(), kube::events(), "default", body)));
  REQUIRE(talk.ask(kube::patch(talk.client(), kube::events(), {"default", "e"}, kube::PatchType::kMerge,
                               R"({"series":{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000000Z"}})")));

  auto found = talk.ask(kube::get(talk.client(), kube::core_events(), {"default", "e"}));
  REQUIRE(found);
  CHECK(text_at(*found, {"message"}) == R"("text")");
  CHECK(text_at(*found, {"series", "count"}) == "2");
  CHECK(text_at(*found, {"involvedObject", "kind"}) == R"("Pod")");

  REQUIRE(talk.ask(kube::remove(talk.client(), kube::events(), {"default", "e"}, {})));
  CHECK(talk.server.objects(kube::core_events()).empty());
}

TEST_CASE("autoscaling/v1 and v2 share their storage, and the CPU target is converted") {
  fixtures::Talk talk;
  const std::string body = R"({"metadata":{"name":"h"},"spec":{"maxReplicas":3,"targetCPUUtilizationPercentage":70,)"
                           R"("scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}})";

  REQUIRE(talk.ask(kube::create(talk.client(), kScalersV1, "default", body)));

  auto as_v2 = talk.ask(kube::get(talk.client(), kScalersV2, {"default", "h"}));
  auto as_v1 = talk.ask(kube::get(talk.client(), kScalersV1, {"default", "h"}));
  REQUIRE(as_v2);
  REQUIRE(as_v1);
  CHECK(text_at(*as_v2, {"spec", "metrics"}) ==
        R"([{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":70}}}])");
  CHECK(text_at(*as_v1, {"spec", "targetCPUUtilizationPercentage"}) == "70");
  CHECK(text_at(*as_v1, {"spec", "metrics"}) == "null");
  CHECK(text_at(*as_v1, {"apiVersion"}) == R"("autoscaling/v1")");
}

TEST_CASE("a write in autoscaling/v1 retains fields that only v2 has") {
  fixtures::Talk talk;
  const std::string memory =
      R"({"type":"Resource","resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":60}}})";
  const auto cpu = [](const std::string& percentage) {
    return R"({"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":)" +
           percentage + "}}}";
  };
  const std::string behavior = R"({"scaleDown":{"stabilizationWindowSeconds":60}})";
  const kube::Key key("default", "h");
  REQUIRE(talk.ask(kube::create(
      talk.client(), kScalersV2, "default",
      R"({"metadata":{"name":"h"},"spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":)"
      R"("web"},"behavior":)" +
          behavior + R"(,"metrics":[)" + cpu("70") + "," + memory + "]}}")));
  const std::string status =
      R"({"status":{"desiredReplicas":1,"currentReplicas":1,"conditions":[{"type":"AbleToScale","status":"True"}]}})";
  REQUIRE(talk.ask(kube::patch(talk.client(), kScalersV2, key, kube::PatchType::kMerge, status, "status")));
  auto patch = [&](const char* body, const char* subresource = "") {
    REQUIRE(talk.ask(kube::patch(talk.client(), kScalersV1, key, kube::PatchType::kMerge, body, subresource)));
    auto found = talk.ask(kube::get(talk.client(), kScalersV2, key));
    REQUIRE(found);
    CHECK(text_at(*found, {"spec", "behavior", "scaleDown", "stabilizationWindowSeconds"}) == "60");
    CHECK(text_at(*found, {"status", "conditions"}).find("AbleToScale") != std::string::npos);
    return *found;
  };

  auto retargeted = patch(R"({"spec":{"targetCPUUtilizationPercentage":80}})");
  CHECK(text_at(retargeted, {"spec", "metrics"}) == "[" + memory + "," + cpu("80") + "]");
  auto reported = patch(R"({"status":{"currentReplicas":2}})", "status");
  CHECK(text_at(reported, {"status", "currentReplicas"}) == "2");
  auto untargeted = patch(R"({"spec":{"targetCPUUtilizationPercentage":null}})");
  CHECK(text_at(untargeted, {"spec", "metrics"}) == "[" + memory + "]");

  kube::ApiRequest apply;
  apply.verb = kube::Verb::kPatch;
  apply.patch_type = kube::PatchType::kApply;
  apply.resource = kScalersV1;
  apply.key = key;
  apply.query = {{"fieldManager", "one"}, {"force", "true"}};
  apply.body = R"({"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{"name":"h"},)"
               R"("spec":{"targetCPUUtilizationPercentage":90}})";
  REQUIRE(talk.ask(talk.client().send(apply)));
  CHECK(text_at(patch("{}"), {"spec", "metrics"}) == "[" + memory + "," + cpu("90") + "]");
}

// The API versions, names and fields of the managers.
std::string owners_in(fixtures::Talk& talk, const kube::Resource& kind, const kube::Key& key) {
  auto found = talk.ask(kube::get(talk.client(), kind, key));
  REQUIRE(found);
  auto document = json::Document::parse(found->json());
  std::string text;
  for (const auto& entry : document->root().at({"metadata", "managedFields"}).items()) {
    for (const char* name : {"apiVersion", "manager"}) {
      text.append(entry.at({name}).string().value_or("")) += " ";
    }
    text.append(entry.at({"fieldsV1"}).text()) += "\n";
  }
  return text;
}

kube::ApiRequest request_as(const char* manager, kube::Verb verb, const kube::Resource& kind, const std::string& body) {
  kube::ApiRequest request;
  request.verb = verb;
  request.resource = kind;
  request.key = kube::Key("default", "h");
  request.query = {{"fieldManager", manager}};
  request.body = body;
  return request;
}

TEST_CASE("a manager owns fields of the version that it wrote, and loses them to writes in the other version") {
  fixtures::Talk talk;
  const kube::Key key("default", "h");
  const std::string begin = R"({"kind":"HorizontalPodAutoscaler","metadata":{"name":"h"},)";
  const std::string target = R"("scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}})";
  REQUIRE(talk.ask(talk.client().send(
      request_as("one", kube::Verb::kCreate, kScalersV1,
                 begin + R"("spec":{"maxReplicas":3,"targetCPUUtilizationPercentage":70,)" + target + "}"))));
  CHECK(owners_in(talk, kScalersV2, key) ==
        R"(autoscaling/v1 one {"f:spec":{"f:maxReplicas":{},"f:minReplicas":{},"f:scaleTargetRef":{},)"
        R"("f:targetCPUUtilizationPercentage":{}}})"
        "\n");

  const std::string metrics =
      R"("metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]})";
  auto apply = request_as("two", kube::Verb::kPatch, kScalersV2,
                          R"({"apiVersion":"autoscaling/v2",)" + begin.substr(1) + R"("spec":{)" + metrics + "}");
  apply.patch_type = kube::PatchType::kApply;
  const auto refused = talk.ask(talk.client().send(apply));
  REQUIRE_FALSE(refused);
  const std::string conflict = R"(conflict with "one" using autoscaling/v1: .spec.targetCPUUtilizationPercentage)";
  CHECK(refused.error().server_text == "Apply failed with 1 conflict: " + conflict);

  apply.query.emplace_back("force", "true");
  REQUIRE(talk.ask(talk.client().send(apply)));
  CHECK(owners_in(talk, kScalersV1, key) ==
        "autoscaling/v2 two {\"f:spec\":{\"f:metrics\":{}}}\n"
        R"(autoscaling/v1 one {"f:spec":{"f:maxReplicas":{},"f:minReplicas":{},"f:scaleTargetRef":{}}})"
        "\n");
}

}  // namespace
}  // namespace keelson::sandbox
