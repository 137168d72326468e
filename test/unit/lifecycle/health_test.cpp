#include "keelson/detail/lifecycle/health.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::lifecycle {
namespace {

HealthChecks checks_with(Result<void> caches) {
  HealthChecks checks;
  checks.healthz = {{"healthz", [] { return Result<void>(); }}};
  checks.readyz = {{"readyz", [] { return Result<void>(); }},
                   {"caches", [caches] { return caches; }},
                   {"fresh", [] { return Result<void>(invalid_error("pods: no event or bookmark for 200s")); }, false}};
  return checks;
}

net::Response get(const HealthChecks& checks, std::string target) {
  net::Request request;
  request.target = std::move(target);
  return answer_health(checks, request);
}

TEST_CASE("P5: health bodies are controller-runtime's, byte for byte") {
  struct Row {
    std::string target;
    bool caches_synced;
    int status;
    std::string body;
  };
  const std::vector<Row> table{
      {"/healthz", true, 200, "ok"},
      {"/healthz/", true, 200, "ok"},
      {"/healthz/healthz", true, 200, "ok"},
      {"/healthz?verbose", true, 200, "[+]healthz ok\nhealthz check passed\n"},
      {"/readyz", true, 200, "ok"},
      {"/readyz?verbose=1", true, 200, "[+]caches ok\n[+]readyz ok\nhealthz check passed\n"},
      {"/readyz", false, 500, "[-]caches failed: reason withheld\n[+]readyz ok\nhealthz check failed\n"},
      {"/readyz?exclude=caches", false, 200, "ok"},
      {"/readyz?verbose&exclude=caches", false, 200, "[+]caches excluded: ok\n[+]readyz ok\nhealthz check passed\n"},
      {"/readyz?verbose&exclude=x&exclude=y", true, 200,
       "[+]caches ok\n[+]readyz ok\nwarn: some health checks cannot be excluded: no matches for \"x\",\"y\"\n"
       "healthz check passed\n"},
      {"/readyz/caches", false, 500, "internal server error: pods not synced\n"},
      {"/readyz/fresh", true, 500, "internal server error: pods: no event or bookmark for 200s\n"},
      {"/readyz/nothing", true, 404, "404 page not found\n"},
      {"/metrics", true, 404, "404 page not found\n"},
      {"/readyzz", true, 404, "404 page not found\n"},
  };

  for (const auto& row : table) {
    auto checks = checks_with(row.caches_synced ? Result<void>() : Result<void>(invalid_error("pods not synced")));

    auto response = get(checks, row.target);

    INFO(row.target);
    CHECK(response.status == row.status);
    CHECK(response.body == row.body);
    CHECK(net::header(response.headers, "content-type") == "text/plain; charset=utf-8");
    CHECK(net::header(response.headers, "x-content-type-options") == "nosniff");
  }
}

}  // namespace
}  // namespace keelson::lifecycle
