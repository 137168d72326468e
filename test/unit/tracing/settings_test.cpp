#include "keelson/detail/tracing/settings.hpp"

#include <catch2/catch_test_macros.hpp>

#include <map>

namespace keelson::tracing {

namespace {

using namespace std::chrono_literals;
using Environment = std::map<std::string, std::string>;

constexpr const char* kEndpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";

SettingsFromEnvironment read(const Environment& environment) {
  return settings_from(
      [&](const char* name) -> const char* {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      {{"service.name", "manager"}, {"telemetry.sdk.name", "keelson"}});
}

// With an endpoint.
SettingsFromEnvironment read_with(const std::string& name, const std::string& value) {
  return read({{kEndpoint, "http://collector:4318"}, {name, value}});
}

}  // namespace

TEST_CASE("traces are off without an endpoint, and with the switches of OpenTelemetry") {
  CHECK_FALSE(read({}).settings);
  CHECK_FALSE(read({{kEndpoint, ""}}).settings);
  CHECK_FALSE(read({{"OTEL_SERVICE_NAME", "a"}, {"OTEL_TRACES_EXPORTER", "otlp"}}).settings);
  CHECK_FALSE(read_with("OTEL_SDK_DISABLED", "TRUE").settings);
  CHECK_FALSE(read_with("OTEL_TRACES_EXPORTER", "none").settings);
  CHECK(read_with("OTEL_SDK_DISABLED", "false").settings);
  CHECK(read_with("OTEL_TRACES_EXPORTER", "otlp").settings);
  CHECK(read({}).problems.empty());
}

TEST_CASE("the defaults are those of OpenTelemetry's specification") {
  const auto found = read({{kEndpoint, "http://collector:4318"}});

  REQUIRE(found.settings);
  CHECK(found.problems.empty());
  CHECK(found.settings->timeout == 10s);
  CHECK(found.settings->export_timeout == 30s);
  CHECK(found.settings->schedule_delay == 5s);
  CHECK(found.settings->queue_size == 2048);
  CHECK(found.settings->batch_size == 512);
  CHECK(found.settings->sampled_fraction == 1);
}

TEST_CASE("the general endpoint gets the path of traces, and the endpoint of traces is used as it is") {
  struct Row {
    const char* name;
    const char* url;
    const char* target;
  };
  const char* own = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  const Row rows[] = {
      {kEndpoint, "http://c:4318", "/v1/traces"},
      {kEndpoint, "http://c:4318/", "/v1/traces"},
      {kEndpoint, "https://c/otlp", "/otlp/v1/traces"},
      {kEndpoint, "https://c/otlp/", "/otlp/v1/traces"},
      {own, "http://c:4318", "/"},
      {own, "http://c:4318/v1/traces", "/v1/traces"},
      {own, "http://c:4318/mine/", "/mine/"},
  };
  for (const auto& [name, url, target] : rows) {
    INFO(name << "=" << url);
    const auto found = read({{name, url}});
    REQUIRE(found.settings);
    CHECK(found.settings->target == target);
    CHECK(found.settings->origin.host == "c");
    CHECK(found.settings->origin.tls == std::string(url).starts_with("https"));
  }
  const auto both = read({{kEndpoint, "http://a:1"}, {own, "http://b:2/x"}});
  CHECK(both.settings->origin.port == "2");
}

TEST_CASE("an invalid value is reported, and its default applies") {
  struct Row {
    const char* name;
    const char* value;
  };
  const Row rows[] = {
      {"OTEL_EXPORTER_OTLP_TIMEOUT", "10s"},
      {"OTEL_EXPORTER_OTLP_TIMEOUT", "-1"},
      {"OTEL_BSP_SCHEDULE_DELAY", "0"},
      {"OTEL_BSP_EXPORT_TIMEOUT", "99999999999999999999"},
      {"OTEL_BSP_MAX_QUEUE_SIZE", "1000000"},
      {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "many"},
      {"OTEL_TRACES_SAMPLER", "jaeger_remote"},
      {"OTEL_TRACES_EXPORTER", "zipkin"},
      {"OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"},
      {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"},
      {"OTEL_EXPORTER_OTLP_HEADERS", "no-equals"},
      {"OTEL_EXPORTER_OTLP_HEADERS", "a b=c"},
      {"OTEL_EXPORTER_OTLP_HEADERS", "a=%0a"},
      {"OTEL_RESOURCE_ATTRIBUTES", "a=%zz"},
  };
  const auto defaults = read({{kEndpoint, "http://collector:4318"}}).settings;
  for (const auto& [name, value] : rows) {
    INFO(name << "=" << value);
    const auto found = read_with(name, value);
    REQUIRE(found.settings);
    REQUIRE(found.problems.size() == 1);
    CHECK(found.problems.front().starts_with(std::string(name) + ": "));
    CHECK(found.settings->timeout == defaults->timeout);
    CHECK(found.settings->export_timeout == defaults->export_timeout);
    CHECK(found.settings->schedule_delay == defaults->schedule_delay);
    CHECK(found.settings->queue_size == defaults->queue_size);
    CHECK(found.settings->batch_size == defaults->batch_size);
    CHECK(found.settings->sampled_fraction == 1);
    CHECK(found.settings->headers.empty());
    CHECK(found.settings->resource == defaults->resource);
  }
}

TEST_CASE("an endpoint that cannot be used and the protocol grpc turn traces off with a problem") {
  for (const char* url : {"collector:4318", "grpc://c:4317", "http://", "http://u:p@c:4318", "http://c/?a=b"}) {
    INFO(url);
    const auto found = read({{kEndpoint, url}});
    CHECK_FALSE(found.settings);
    REQUIRE(found.problems.size() == 1);
    CHECK(found.problems.front().find("u:p") == std::string::npos);
  }
  const auto grpc = read_with("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
  CHECK_FALSE(grpc.settings);
  REQUIRE(grpc.problems.size() == 1);
  CHECK(grpc.problems.front().find("http/json") != std::string::npos);
}

TEST_CASE("headers and resource attributes are percent-decoded pairs") {
  const auto found = read({{kEndpoint, "http://collector:4318"},
                           {"OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc, x-tenant=a%2Cb"},
                           {"OTEL_RESOURCE_ATTRIBUTES", "service.name=other,k8s.pod.name=a%3Db"},
                           {"OTEL_SERVICE_NAME", "mine"}});

  CHECK(found.problems.empty());
  CHECK(found.settings->headers == net::Headers{{"authorization", "Bearer abc"}, {"x-tenant", "a,b"}});
  CHECK(found.settings->resource ==
        ResourceAttributes{{"service.name", "mine"}, {"telemetry.sdk.name", "keelson"}, {"k8s.pod.name", "a=b"}});
}

TEST_CASE("the variable of traces replaces the general one") {
  const auto found = read({{kEndpoint, "http://collector:4318"},
                           {"OTEL_EXPORTER_OTLP_TIMEOUT", "1000"},
                           {"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2500"},
                           {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
                           {"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"},
                           {"OTEL_EXPORTER_OTLP_CERTIFICATE", "/general.crt"},
                           {"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "/traces.crt"}});

  REQUIRE(found.settings);
  CHECK(found.settings->timeout == 2500ms);
  CHECK(found.settings->certificate_file == "/traces.crt");
}

TEST_CASE("a batch is not larger than the queue") {
  const auto found = read_with("OTEL_BSP_MAX_QUEUE_SIZE", "100");

  CHECK(found.settings->queue_size == 100);
  CHECK(found.settings->batch_size == 100);
}

TEST_CASE("each sampler of OpenTelemetry gives the fraction of sampled traces") {
  struct Row {
    const char* sampler;
    const char* argument;
    double fraction;
  };
  const Row rows[] = {{"always_on", "0.5", 1},           {"always_off", "", 0},
                      {"traceidratio", "0.25", 0.25},    {"traceidratio", "", 1},
                      {"traceidratio", "0", 0},          {"parentbased_always_on", "", 1},
                      {"parentbased_always_off", "", 0}, {"parentbased_traceidratio", "0.1", 0.1}};
  for (const auto& [sampler, argument, fraction] : rows) {
    INFO(sampler << " " << argument);
    const auto found = read({{kEndpoint, "http://collector:4318"},
                             {"OTEL_TRACES_SAMPLER", sampler},
                             {"OTEL_TRACES_SAMPLER_ARG", argument}});
    CHECK(found.problems.empty());
    CHECK(found.settings->sampled_fraction == fraction);
  }
  for (const char* argument : {"1.5", "-0.1", "half", "nan"}) {
    INFO(argument);
    const auto found = read({{kEndpoint, "http://collector:4318"},
                             {"OTEL_TRACES_SAMPLER", "traceidratio"},
                             {"OTEL_TRACES_SAMPLER_ARG", argument}});
    CHECK(found.problems.size() == 1);
    CHECK(found.settings->sampled_fraction == 1);
  }
}

}  // namespace keelson::tracing
