#include "src/doctor/objects.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/text.hpp"
#include "keelson/schema/time.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

Findings findings_of_object(const std::string& metadata, const std::string& status) {
  const auto list = parsed(list_json(R"({"metadata":{"name":"a","namespace":"n","generation":2,)"
                                     R"("creationTimestamp":"2026-01-01T00:00:00Z")" +
                                     metadata + R"(},"status":{)" + status + "}}"));
  Findings findings;
  check_objects(boats().resource, list.root(), kube::OperatorName("sea"), *kube::parse_time("2026-01-01T01:00:00Z"),
                findings);
  return findings;
}

TEST_CASE("each state of an object has its finding") {
  struct Row {
    std::string metadata;
    std::string status;
    Ids ids;
  };
  const std::string behind = R"("observedGeneration":1)";
  const auto condition = [](const std::string& type) {
    return R"("conditions":[{"type":")" + type + R"(","status":"True","message":"why"}])";
  };
  const auto conditions = [](const Ids& all) { return R"("conditions":[)" + base::join(all, ",") + "]"; };
  const auto not_ready = [](const std::string& since) {
    return R"({"type":"Ready","status":"False","reason":"Rolls","lastTransitionTime":"2026-01-01T)" + since + "Z\"}";
  };
  const std::vector<Row> rows = {
      {"", "", {}},
      {"", R"("observedGeneration":2)", {}},
      {"", behind, {"object-not-reconciled"}},
      {"", R"("observedGeneration":-1)", {"object-not-reconciled"}},
      // Changed a few seconds ago.
      {R"(,"managedFields":[{"time":"2026-01-01T00:59:50Z"}])", behind, {}},
      // The time of a status does not count.
      {R"(,"managedFields":[{"time":"2026-01-01T00:59:50Z","subresource":"status"}])",
       behind,
       {"object-not-reconciled"}},
      {R"(,"annotations":{"sea.keelson.dev/paused":"true"})", behind, {"object-paused"}},
      {"", condition("Paused"), {"object-paused"}},
      {"", condition("Conflict"), {"object-conflict"}},
      {"", condition("Stalled"), {"object-stalled"}},
      {"", condition("Degraded"), {"object-degraded"}},
      {"", conditions({not_ready("00:49:59"), R"({"type":"Degraded","status":"True"})"}), {"object-degraded"}},
      {"", conditions({not_ready("00:49:59"), R"({"type":"Degraded","status":"False"})"}), {"object-not-ready"}},
      {"", conditions({not_ready("00:49:59"), R"({"type":"Stalled","status":"True"})"}), {"object-stalled"}},
      // A rollout of less than ten minutes.
      {"", conditions({not_ready("00:50:01")}), {"object-not-ready-yet"}},
      {R"(,"annotations":{"sea.keelson.dev/paused":"true"})", condition("Degraded"), {"object-paused"}},
      {R"(,"deletionTimestamp":"2026-01-01T00:50:00Z","finalizers":["a/b"])",
       condition("Degraded"),
       {"object-deletion-stuck"}},
      {R"(,"deletionTimestamp":"2026-01-01T00:50:00Z","finalizers":["a/b"])", behind, {"object-deletion-stuck"}},
      {R"(,"deletionTimestamp":"2026-01-01T00:59:30Z","finalizers":["a/b"])", R"("observedGeneration":2)", {}},
      {R"(,"deletionTimestamp":"2026-01-01T00:59:30Z","finalizers":["a/b"])", behind, {}},
      {R"(,"annotations":{"sea.keelson.dev/paused":"false"})", "", {}},
      {R"(,"annotations":{"sea.keelson.dev/paused":""})", "", {}},
      {R"(,"annotations":{"sea.keelson.dev/paused":"2026-01-01T00:59:59Z"})", "", {}},
      {R"(,"annotations":{"sea.keelson.dev/paused":"2026-01-01T01:00:01Z"})", "", {"object-paused"}},
      {R"(,"annotations":{"sea.keelson.dev/paused":"yes"})", "", {"object-paused"}},
  };
  for (const auto& row : rows) {
    INFO(row.metadata << " " << row.status);
    CHECK(ids_of(findings_of_object(row.metadata, row.status)) == row.ids);
  }
  CHECK(findings_of_object("", condition("Conflict")).all().front().subject == "boats.sea.example.com/n/a");
  CHECK(findings_of_object("", condition("Conflict")).all().front().detail == "why");
  const std::string degraded =
      R"("conditions":[{"type":"Degraded","status":"True","reason":"NodeLost","message":"why",)"
      R"("lastTransitionTime":"2026-01-01T00:59:59Z"}])";
  CHECK(findings_of_object("", degraded).all().front().detail == "NodeLost: why (since 2026-01-01T00:59:59Z)");
}

}  // namespace
}  // namespace keelson::doctor
