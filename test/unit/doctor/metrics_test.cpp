#include "src/doctor/metrics.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

TEST_CASE("metrics are served by the manager or its proxy, protected, and behind a Service") {
  struct Row {
    DeployedFlags::Metrics metrics;
    const char* address;
    std::optional<int> proxy;
    std::optional<int> port;
    Ids ids;
  };
  using Metrics = DeployedFlags::Metrics;
  const Row rows[] = {
      {Metrics::kOff, "0", {}, {}, {"metrics-off"}},
      {Metrics::kSecure, ":8443", {}, 8443, {}},
      {Metrics::kPlain, "127.0.0.1:8080", 8443, 8443, {}},
      {Metrics::kPlain, "[::1]:8080", {}, {}, {"metrics-proxy-missing"}},
      {Metrics::kPlain, ":8080", {}, 8080, {"metrics-unprotected"}},
  };
  for (const auto& row : rows) {
    INFO(row.address);
    Deployed deployed;
    deployed.proxy_port = row.proxy;
    DeployedFlags flags;
    flags.metrics = row.metrics;
    flags.metrics_bind_address = row.address;
    Findings findings;
    CHECK(metrics_port(deployed, flags, findings) == row.port);
    CHECK(ids_of(findings) == row.ids);
  }
}

TEST_CASE("the Service of the metrics selects the pods and has their port by name or number") {
  Deployed deployed;
  deployed.pod_labels = {{"a", "b"}, {"x", "y"}};
  deployed.ports = {{"https", 8443}};
  const auto service = [&](const std::string& selector, const std::string& port) {
    const auto list = parsed(
        list_json(R"({"metadata":{"name":"m"},"spec":{"selector":)" + selector + R"(,"ports":[)" + port + "]}}"));
    return metrics_service(deployed, 8443, list.root());
  };
  CHECK(service(R"({"a":"b"})", R"({"port":1,"targetPort":"https"})") == "m");
  CHECK(service(R"({"a":"b"})", R"({"port":1,"targetPort":8443})") == "m");
  CHECK(service(R"({"a":"b"})", R"({"port":8443})") == "m");
  CHECK(service(R"({"a":"b"})", R"({"port":8443,"targetPort":"http"})").empty());
  CHECK(service(R"({"a":"c"})", R"({"port":8443})").empty());
  CHECK(service("{}", R"({"port":8443})").empty());
}

TEST_CASE("a port of the metrics that no Service has is a finding") {
  SeaWorld world;
  world.client.replies.at("list /api/v1/namespaces/sea-system/services") = list_json("");

  const auto report = world.examine();

  CHECK(ids_of(report.findings) == Ids{"metrics-service-missing"});
  CHECK(report.findings.all().front().detail == "port 8443");
}

}  // namespace
}  // namespace keelson::doctor
