#include "src/doctor/watches.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

std::string statusz(const std::string& boats) {
  return R"({"kind":"Statusz","attention":[],"informers":[{"resource":"boats.sea.example.com")" + boats +
         R"(},{"resource":"deployments.apps"}]})";
}

TEST_CASE("a watch shows whether lists are streamed and whether it has bookmarks") {
  struct Row {
    StreamedReply watch;
    Ids ids;
  };
  const std::string end =
      R"({"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}})";
  const std::vector<Row> rows = {
      {{{}, end + "\n", ""}, {}},
      {{{}, "", ""}, {"watch-without-bookmarks"}},
      {{{}, std::string(limits::kStreamedBytes, ' '), ""}, {}},
      {{status_error(422, "Invalid"), "", ""}, {"lists-not-streamed"}},
      {{status_error(400, "BadRequest"), "", ""}, {"lists-not-streamed"}},
      {{status_error(404, "NotFound"), "", ""}, {}},
      {{status_error(403, "Forbidden"), "", ""}, {"check-forbidden"}},
      {{timeout_error("late"), "", ""}, {"check-failed"}},
      // An API server that hangs has accepted the watch, and sends nothing.
      {{{}, "", "", false}, {"check-failed"}},
  };
  for (const auto& row : rows) {
    Findings findings;
    check_watch(row.watch, findings);
    CHECK(ids_of(findings) == row.ids);
  }
  CHECK(has_bookmark(end + "\n"));
  CHECK_FALSE(has_bookmark(end));
}

TEST_CASE("a watch of the manager that fails is a finding, with its duration and its error") {
  SeaWorld world;
  run_pod(world,
          statusz(R"(,"problem":"boats: the server could not find the requested resource","failingSeconds":312.53)"));

  const auto report = world.examine();

  INFO(report_text(report));
  REQUIRE(ids_of(report.findings) == std::vector<std::string>{"cache-stale"});
  CHECK(report.findings.all().front().subject == "boats.sea.example.com");
  CHECK(report.findings.all().front().detail == "for 5m12s: boats: the server could not find the requested resource");
  CHECK(report.findings.summary(Area::kWatches) ==
        "lists are streamed, watches have bookmarks; 1 of 2 caches of the manager are current");
  CHECK(exit_code(report) == 2);
}

TEST_CASE("caches that are current are no finding") {
  SeaWorld world;
  run_pod(world, statusz(""));

  const auto report = world.examine();

  CHECK(ids_of(report.findings).empty());
  CHECK(report.findings.summary(Area::kWatches) ==
        "lists are streamed, watches have bookmarks; 2 of 2 caches of the manager are current");
}

}  // namespace
}  // namespace keelson::doctor
