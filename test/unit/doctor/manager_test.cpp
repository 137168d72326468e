// doctor asks the running manager for its /statusz.
#include "src/doctor/manager.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

constexpr const char* kToken = "create /api/v1/namespaces/sea-system/serviceaccounts/sailor/token";

TEST_CASE("protected pages are read with a token of the manager's account") {
  SeaWorld world;
  run_pod(world, status_error(401, "Unauthorized", "Unauthorized"));
  world.client.replies.insert_or_assign(kToken, std::string(R"({"status":{"token":"secret"}})"));

  (void)world.examine();

  const auto& requests = world.client.requests;
  const auto token = std::ranges::find(requests, kToken);
  REQUIRE(token != requests.end());
  CHECK(*std::next(token) == kStatusz);
}

TEST_CASE("a page that cannot be read is a note with the reason, and a missing permission is named") {
  const std::string missing = R"(User "u" cannot get resource "pods/proxy" in API group "" in the namespace "sea")";
  for (const auto& page : {Result<std::string>(status_error(403, "Forbidden", missing)),
                           // By a proxy on the way to the pod.
                           Result<std::string>(status_error(403, "Forbidden", "denied destination")),
                           Result<std::string>(status_error(503, "ServiceUnavailable", "pods sea-1 is forbidden")),
                           Result<std::string>(std::string("pods sea-1 is forbidden"))}) {
    SeaWorld world;
    run_pod(world, page);

    const auto report = world.examine();

    const bool is_forbidden = !page && page.error().server_text == missing;
    CHECK(ids_of(report.findings) == std::vector<std::string>{is_forbidden ? "check-forbidden" : "manager-not-asked"});
    CHECK(exit_code(report) == (is_forbidden ? 1 : 0));
    CHECK(report.findings.summary(Area::kWatches).find("those of the manager were not examined: ") !=
          std::string::npos);
  }
}

TEST_CASE(
    "what the running manager lists under Attention is found, failing watches once, and objects by their reason") {
  SeaWorld world;
  run_pod(
      world,
      std::string(R"({"kind":"Statusz","attention":[)"
                  R"({"what":"Watch of boats.sea.example.com fails","details":"for 5s: forbidden"},)"
                  R"({"what":"Keys of boat fail","details":"2 keys are retried with backoff"},)"
                  R"({"what":"Ship a/x","details":"Degraded: CrashLoopBackOff: Pod x",)"
                  R"("kind":"Ship","resource":"ships.sea.example.com","condition":"Degraded","key":"a/x"},)"
                  R"({"what":"Ship a/y","details":"Degraded: NodeLost: Pod y",)"
                  R"("kind":"Ship","resource":"ships.sea.example.com","condition":"Degraded","key":"a/y"}],)"
                  R"("informers":[{"resource":"boats.sea.example.com","problem":"forbidden","failingSeconds":5}]})"));

  const auto report = world.examine();

  INFO(report_text(report));
  CHECK(ids_of(report.findings) == std::vector<std::string>{"cache-stale", "manager-attention", "manager-attention"});
  CHECK(report.findings.all().at(1).subject == "Keys of boat fail");
  CHECK(report.findings.all().at(2).count == 2);
  CHECK(report.findings.summary(Area::kManager) == "pods/sea-1 reports 4 problems");
  CHECK(exit_code(report) == 2);
}

TEST_CASE("a single problem of the manager is one in the summary") {
  SeaWorld world;
  run_pod(world, std::string(R"({"kind":"Statusz","attention":[{"what":"Keys of boat fail","details":"2 keys"}]})"));

  CHECK(world.examine().findings.summary(Area::kManager) == "pods/sea-1 reports 1 problem");
}

TEST_CASE("an object that doctor examines itself has one finding, and a paused one stays a note") {
  const std::string boat =
      R"({"metadata":{"name":"%","namespace":"a","generation":1},"status":{"observedGeneration":1,)"
      R"("conditions":[{"type":"@","status":"True","reason":"Why"}]}})";
  const auto boat_with = [&](const std::string& name, const std::string& condition) {
    auto text = boat;
    text.replace(text.find('%'), 1, name);
    return text.replace(text.find('@'), 1, condition);
  };
  const auto row = [](const std::string& name, const std::string& condition) {
    return R"({"what":"Boat a/)" + name + R"(","details":")" + condition + R"(: Why","kind":"Boat",)" +
           R"("resource":"boats.sea.example.com","condition":")" + condition + R"(","key":"a/)" + name + "\"}";
  };
  for (const bool is_whole : {true, false}) {
    INFO(is_whole);
    SeaWorld world;
    run_pod(world, R"({"kind":"Statusz","attention":[)" + row("x", "Degraded") + "," + row("y", "Paused") + "," +
                       row("z", "Degraded") + R"(],"informers":[]})");
    world.client.replies.insert_or_assign(
        "list /apis/sea.example.com/v1/boats",
        R"({"metadata":{)" + std::string(is_whole ? "" : R"("continue":"more","remainingItemCount":1)") +
            R"(},"items":[)" + boat_with("x", "Degraded") + "," + boat_with("y", "Paused") + "]}");

    const auto report = world.examine();

    INFO(report_text(report));
    auto ids = ids_of(report.findings);
    std::ranges::sort(ids);
    std::vector<std::string> expected{"object-degraded", "object-paused"};
    // The third one was not examined.
    if (!is_whole) expected.insert(expected.begin(), "manager-attention");
    CHECK(ids == expected);
    CHECK(report.findings.summary(Area::kManager) == "pods/sea-1 reports 3 problems");
  }
}

TEST_CASE("an object in a namespace whose objects were not examined is reported as the manager reports it") {
  SeaWorld world;
  world.flags.watch_namespaces = {"a", "b", "c", "d", "e", "f"};
  for (const auto& ns : world.flags.watch_namespaces) {
    world.client.replies.emplace("get /api/v1/namespaces/" + ns, std::string("{}"));
    world.client.replies.emplace("list /apis/sea.example.com/v1/namespaces/" + ns + "/boats", list_json(""));
    world.client.replies.emplace("list /apis/apps/v1/namespaces/" + ns + "/deployments", list_json(""));
  }
  run_pod(world,
          std::string(R"({"kind":"Statusz","attention":[{"what":"Boat f/x","details":"Degraded: Why",)"
                      R"("kind":"Boat","resource":"boats.sea.example.com","condition":"Degraded","key":"f/x"}]})"));

  const auto report = world.examine();

  INFO(report_text(report));
  CHECK(ids_of(report.findings) == std::vector<std::string>{"manager-attention"});
  CHECK(report.findings.summary(Area::kObjects) == "0 objects were examined, in 5 of 6 namespaces");
}

}  // namespace
}  // namespace keelson::doctor
