// Settings: the configuration of traces, from the environment variables OTEL_* of OpenTelemetry.
//
// Traces are off unless OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT is set. docs/tracing.md lists
// the variables. A variable with an empty value counts as not set, as OpenTelemetry requires. An invalid value never
// prevents the start: it is reported as a problem, and the default applies. Problems do not contain the values of
// headers, which can be tokens.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::limits {

// The largest values of OTEL_BSP_MAX_QUEUE_SIZE and OTEL_BSP_MAX_EXPORT_BATCH_SIZE. A span takes up to a few KiB, and a
// batch is converted to JSON in a single turn of the loop.
inline constexpr std::size_t kQueuedSpans = 65536;
inline constexpr std::size_t kSpansPerBatch = 1024;

}  // namespace keelson::limits

namespace keelson::tracing {

// Attributes of the program that sends spans, "service.name" and others; each key once.
using ResourceAttributes = std::vector<std::pair<std::string, std::string>>;

struct Settings {
  net::Origin origin;                                         // the collector
  std::string target;                                         // the path of its requests: "/v1/traces"
  net::Headers headers;                                       // in addition to Content-Type
  std::string certificate_file;                               // the collector's CA; empty: the CAs of the system
  async::Duration timeout = std::chrono::seconds(10);         // of a request
  async::Duration export_timeout = std::chrono::seconds(30);  // of a batch, with all retries
  async::Duration schedule_delay = std::chrono::seconds(5);   // the longest time that a span waits for a full batch
  std::size_t queue_size = 2048;                              // spans; at most limits::kQueuedSpans
  std::size_t batch_size = 512;                               // spans; at most limits::kSpansPerBatch and queue_size
  double sampled_fraction = 1;                                // of all traces
  ResourceAttributes resource;
};

struct SettingsFromEnvironment {
  std::optional<Settings> settings;   // nullopt: traces are off
  std::vector<std::string> problems;  // for the log: "OTEL_BSP_SCHEDULE_DELAY: …"
};

// `variable` returns the value of a variable, or null if it is not set. `resource` has the defaults of the program;
// OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME replace them.
[[nodiscard]] SettingsFromEnvironment settings_from(const std::function<const char*(const char*)>& variable,
                                                    ResourceAttributes resource);

}  // namespace keelson::tracing
