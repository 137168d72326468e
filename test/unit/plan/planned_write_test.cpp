#include "src/plan/planned_write.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "src/plan/report.hpp"
#include "test/support/parsed_object.hpp"

namespace keelson::plan {
namespace {

using testing::parsed_object;

sandbox::RequestInfo request(kube::Verb verb, std::string subresource = "") {
  sandbox::RequestInfo info;
  info.verb = verb;
  info.subresource = std::move(subresource);
  return info;
}

const auto kPod = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"u","generation":1,)"
                  R"("resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[{}],)"
                  R"("labels":{"b":"c"}},"spec":{"nodeName":"n"}})";

TEST_CASE("a new object is shown without the server's own metadata") {
  const auto write = planned_write(request(kube::Verb::kCreate), kube::pods(), std::nullopt, parsed_object(kPod));
  CHECK(write.verb == "create");
  CHECK(write.key == kube::Key("x", "a"));
  CHECK(write.created == R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x",)"
                         R"("labels":{"b":"c"}},"spec":{"nodeName":"n"}})");
  CHECK(write.changes.empty());
}

TEST_CASE("a change has the fields that differ, with both values") {
  auto next = std::string(kPod);
  next.replace(next.find(R"("c")"), 3, R"("d")");
  next.replace(next.find(R"("7")"), 3, R"("8")");
  const auto write =
      planned_write(request(kube::Verb::kPatch, "status"), kube::pods(), parsed_object(kPod), parsed_object(next));
  CHECK(write.verb == "patch");
  CHECK(write.subresource == "status");
  REQUIRE(write.changes.size() == 1);
  CHECK(write.changes[0].path == "/metadata/labels/b");
  CHECK(write.changes[0].before == R"("c")");
  CHECK(write.changes[0].after == R"("d")");
}

TEST_CASE("a plan contains no value of a Secret") {
  constexpr auto kSecret =
      R"({"metadata":{"name":"a","namespace":"x","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"b2xk"}},"data":{"p":"b2xk"}})";
  constexpr auto kNext =
      R"({"metadata":{"name":"a","namespace":"x","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"bmV3"}},"data":{"p":"bmV3","q":"bmV3"}})";
  Plan plan;
  plan.writes.push_back(
      planned_write(request(kube::Verb::kCreate), kube::secrets(), std::nullopt, parsed_object(kSecret)));
  plan.writes.push_back(
      planned_write(request(kube::Verb::kUpdate), kube::secrets(), parsed_object(kSecret), parsed_object(kNext)));
  plan.writes.push_back(planned_write(request(kube::Verb::kUpdate), kube::secrets(),
                                      parsed_object(R"({"metadata":{}})"), parsed_object(kNext)));
  REQUIRE(plan.writes[1].changes.size() == 2);
  std::ostringstream text;
  std::ostringstream json;
  print_text(plan, text);
  print_json(plan, json);
  for (const auto& shown : {text.str(), json.str()}) {
    CHECK(shown.find("b2xk") == std::string::npos);
    CHECK(shown.find("bmV3") == std::string::npos);
    CHECK(shown.find("***") != std::string::npos);
  }
}

TEST_CASE("a plan as text lists the writes with their objects, and counts them") {
  auto next = std::string(kPod);
  next.replace(next.find(R"("c")"), 3, R"("d")");
  Plan plan;
  plan.has_settled = true;
  plan.writes.push_back(
      planned_write(request(kube::Verb::kPatch, "status"), kube::pods(), parsed_object(kPod), parsed_object(next)));
  plan.writes.push_back(planned_write(request(kube::Verb::kDelete), kube::pods(), parsed_object(kPod), std::nullopt));
  std::ostringstream text;
  print_text(plan, text);
  CHECK(text.str() ==
        "patch pods/status x/a\n  ~ metadata.labels.b: \"c\" -> \"d\"\n\ndelete pods x/a\n\n"
        "2 writes: 0 to create, 1 to change, 1 to delete; 0 Events.\n");
  std::ostringstream json;
  print_json(plan, json);
  CHECK(json.str() ==
        R"({"writes":[{"verb":"patch","group":"","version":"v1","kind":"Pod","resource":"pods","subresource":"status",)"
        R"("namespace":"x","name":"a","changes":[{"path":"/metadata/labels/b","before":"c","after":"d"}]},)"
        R"({"verb":"delete","group":"","version":"v1","kind":"Pod","resource":"pods","subresource":"","namespace":"x",)"
        R"("name":"a","changes":[]}],"events":[],"errors":[],"warnings":[],"settled":true})"
        "\n");
}

TEST_CASE("a plan as text shows each Event once, with what it is about and its message") {
  const std::string event =
      R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"a.1","namespace":"x"},"type":"Warning","reason":"Full",)"
      R"("involvedObject":{"kind":"Disk","namespace":"x","name":"a"},"message":"no room","count":1})";
  auto repeated = event;
  repeated.replace(repeated.find(R"("count":1)"), 9, R"("count":2)");
  Plan plan;
  plan.has_settled = true;
  plan.events.push_back(
      planned_write(request(kube::Verb::kCreate), kube::core_events(), std::nullopt, parsed_object(event)));
  plan.events.push_back(
      planned_write(request(kube::Verb::kPatch), kube::core_events(), parsed_object(event), parsed_object(repeated)));
  std::ostringstream text;
  print_text(plan, text);
  CHECK(text.str() ==
        "Event: Warning Full Disk x/a: \"no room\"\n\n0 writes: 0 to create, 0 to change, 0 to delete; 1 Event.\n");
}

TEST_CASE("a plan as text has no control characters of the cluster") {
  Plan plan;
  plan.errors.emplace_back("invalid value \x1b[2J");
  plan.warnings.emplace_back("\x07");
  std::ostringstream text;
  print_text(plan, text);
  CHECK(text.str().starts_with("Error: invalid value  [2J\nWarning:  \n"));
}

TEST_CASE("a plan without writes prints that nothing would be written") {
  Plan plan;
  plan.has_settled = true;
  std::ostringstream text;
  print_text(plan, text);
  CHECK(text.str() == "Nothing would be written.\n");
}

}  // namespace
}  // namespace keelson::plan
