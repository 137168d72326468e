#include "keelson/detail/doctor/finding_tracker.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

const async::WallTime kStart = *kube::parse_time("2026-01-02T15:00:00Z");

std::vector<std::string> changed(FindingTracker& tracker, const Report& report, async::WallTime now) {
  std::vector<std::string> lines;
  for (const auto& change : tracker.update(report, now)) {
    lines.push_back((change.is_found ? "+" : "-") + std::string(change.finding.kind->id) + " " +
                    change.finding.subject);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE(
    "a finding is reported once when it is found and once when it has cleared, whatever its values are meanwhile") {
  FindingTracker tracker;
  Report first;
  first.findings.add("lease-expired", "leases/sea", "renewed 20 s ago");
  Report second;
  second.findings.add("lease-expired", "leases/sea", "renewed 50 s ago");
  second.findings.add("crd-missing", "boats");

  CHECK(changed(tracker, first, kStart) == Lines{"+lease-expired leases/sea"});
  CHECK(changed(tracker, second, kStart + std::chrono::seconds(30)) == Lines{"+crd-missing boats"});
  CHECK(changed(tracker, second, kStart + std::chrono::seconds(60)).empty());
  CHECK(changed(tracker, {}, kStart + std::chrono::seconds(90)) ==
        Lines{"-crd-missing boats", "-lease-expired leases/sea"});
}

TEST_CASE("a group of objects is one finding, also when its first object changes") {
  FindingTracker tracker;
  Report first;
  first.findings.add("object-degraded", "boats/a/1", "CrashLoopBackOff", "reason CrashLoopBackOff");
  first.findings.add("object-degraded", "boats/a/2", "CrashLoopBackOff", "reason CrashLoopBackOff");
  Report second;
  second.findings.add("object-degraded", "boats/a/2", "CrashLoopBackOff", "reason CrashLoopBackOff");

  CHECK(changed(tracker, first, kStart).size() == 1);
  CHECK(changed(tracker, second, kStart).empty());
}

TEST_CASE("a finding of an area that could not be examined has not cleared") {
  FindingTracker tracker;
  Report first;
  first.findings.add("crd-missing", "boats");
  Report outage;
  outage.findings.add("api-server-unreachable", "", "connection refused");
  for (std::size_t area = 1; area < kAreas; ++area) outage.findings.skip(static_cast<Area>(area), "");

  CHECK(changed(tracker, first, kStart) == Lines{"+crd-missing boats"});
  CHECK(changed(tracker, outage, kStart) == Lines{"+api-server-unreachable "});
  CHECK(changed(tracker, first, kStart) == Lines{"-api-server-unreachable "});
  CHECK(changed(tracker, {}, kStart) == Lines{"-crd-missing boats"});
}

TEST_CASE("a change is a line of text or of JSON, with the time since which it is known") {
  FindingTracker tracker;
  Report report;
  report.findings.add("crd-missing", "boats");
  const auto found = tracker.update(report, kStart);
  const auto cleared = tracker.update({}, kStart + std::chrono::seconds(300));
  REQUIRE(found.size() == 1);
  REQUIRE(cleared.size() == 1);

  CHECK(change_text(found.front(), kStart)
            .starts_with("2026-01-02T15:00:00Z  found    error  crd-missing  boats: the CustomResourceDefinition is "
                         "missing; remedy: "));
  CHECK(change_text(cleared.front(), kStart + std::chrono::seconds(300)) ==
        "2026-01-02T15:05:00Z  cleared  error  crd-missing  boats: the CustomResourceDefinition is missing, after "
        "5m0s\n");
  const auto line = change_json(cleared.front(), kStart + std::chrono::seconds(300));
  CHECK(line.find('\n') == line.size() - 1);
  const auto root = parsed(line);
  CHECK(root.root().find("change").string() == "cleared");
  CHECK(root.root().find("since").string() == "2026-01-02T15:00:00Z");
  CHECK(root.root().find("seconds").integer() == 300);
}

}  // namespace
}  // namespace keelson::doctor
