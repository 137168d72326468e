#include "src/doctor/api_server.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

const async::WallTime kNow = *kube::parse_time("2026-01-01T00:00:00Z");

Ids ids_of_version(const std::string& version, const std::string& date = "") {
  Findings findings;
  CHECK(check_server({{}, version, date}, kNow, findings));
  return ids_of(findings);
}

TEST_CASE("Kubernetes 1.29 to 1.36 are supported, also in the forms of providers") {
  const auto version = [](const std::string& minor) { return R"({"major":"1","minor":")" + minor + R"("})"; };
  for (const char* minor : {"29", "36", "33+"}) CHECK(ids_of_version(version(minor)).empty());
  for (const char* minor : {"28", "37", "", "x"}) CHECK(ids_of_version(version(minor)) == Ids{"version-unsupported"});
  CHECK(ids_of_version("{}") == Ids{"version-unsupported"});
}

TEST_CASE("clocks may differ by some seconds") {
  const std::string version = R"({"major":"1","minor":"36"})";
  CHECK(ids_of_version(version, "Thu, 01 Jan 2026 00:00:05 GMT").empty());
  CHECK(ids_of_version(version, "Thu, 01 Jan 2026 00:00:06 GMT") == Ids{"clock-skew"});
  CHECK(ids_of_version(version, "Wed, 31 Dec 2025 23:00:00 GMT") == Ids{"clock-skew"});
  CHECK(ids_of_version(version, "yesterday").empty());
}

TEST_CASE("the date of an HTTP header is a time, and any other text is none") {
  CHECK(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == *kube::parse_time("1994-11-06T08:49:37Z"));
  for (const char* text : {"", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
                           "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, xx Nov 1994 08:49:37 GMT"}) {
    INFO(text);
    CHECK_FALSE(parse_http_date(text));
  }
}

TEST_CASE("an API server that cannot be used has a finding with its error") {
  struct Row {
    Error error;
    Ids ids;
    bool is_usable;
  };
  const std::vector<Row> rows = {
      {transport_error("refused"), {"api-server-unreachable"}, false},
      {timeout_error("late"), {"api-server-unreachable"}, false},
      {status_error(401, "Unauthorized"), {"credentials-rejected"}, false},
      {status_error(503, "ServiceUnavailable"), {"check-failed"}, false},
      // /version may be closed to this user.
      {status_error(403, "Forbidden"), {"check-forbidden"}, true},
  };
  for (const auto& row : rows) {
    Findings findings;
    CHECK(check_server({row.error, "", ""}, kNow, findings) == row.is_usable);
    CHECK(ids_of(findings) == row.ids);
  }
}

}  // namespace
}  // namespace keelson::doctor
