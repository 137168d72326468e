// The values of /statusz: what a program does at this moment, as its services report it.
//
// A Status is a snapshot without references. Its lists have limits, so that making and rendering it takes a fraction
// of a millisecond whatever the number of objects is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/controller/controller.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/leader/elector.hpp"
#include "keelson/detail/zpages/error_log.hpp"
#include "keelson/detail/zpages/page.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::zpages {

// A controller, with the counters of its metrics.
struct ControllerFigures {
  controller::ControllerStatus status;
  std::uint64_t successes = 0;  // since the start, also those that are reconciled again later
  std::uint64_t errors = 0;
  double seconds = 0;  // of all reconciles together
  // Upper bounds of durations in seconds, with the number of reconciles up to each.
  std::vector<std::pair<double, std::uint64_t>> durations = {};
  std::vector<float> depth_history = {};
  std::vector<float> rate_history = {};  // reconciles per second
};

struct InformerFigures {
  cache::InformerStatus status;
  std::uint64_t relists = 0;  // of its kind, since the start
  std::uint64_t events = 0;   // of its watches
};

struct WebhookFigures {
  std::string path;
  std::vector<std::pair<std::string, std::uint64_t>> requests = {};  // by HTTP status
};

// A certificate in use, as the metric keelson_certificate_expiry_seconds has it.
struct CertificateTerm {
  std::string use;  // "webhook", "webhook-ca", "metrics", "client"
  async::WallTime expires{};
  bool ends_soon = false;  // by tls::expiry_level(): it should have been renewed already
};

// Work on a server's certificate that fails: reading, renewing or publishing it.
struct CertificateProblem {
  std::string server;  // "webhook", "metrics"
  std::string error;
  async::WallTime since{};
};

// The level of the log, which can be changed at run time.
struct LogLevel {
  std::string now;           // "info", "debug", "5"
  std::string at_start;      // by the flags
  std::string changed = {};  // "since … by jane until …"; empty: it is that of the start
};

struct Status {
  std::string program;
  std::string version;
  std::string commit;
  std::vector<std::string> build = {};  // compiler, platform and libraries, a line each
  std::vector<std::string> paths = {};  // of the health server, to link
  async::WallTime now{};
  async::Duration uptime{0};

  async::Duration loop_lag{0};  // the longest of the last seconds
  std::size_t timers = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t memory_limit = 0;  // of the container; 0: none

  bool is_dry_run = false;
  std::optional<LogLevel> log_level = {};            // nullopt: unknown
  std::optional<leader::ElectorStatus> leader = {};  // nullopt without leader election
  std::vector<ControllerFigures> controllers = {};
  controller::ConcurrencyStatus concurrency = {};
  std::vector<InformerFigures> informers = {};

  std::vector<controller::UnhealthyKind> unhealthy = {};

  bool serves_webhooks = false;
  std::string webhook_problem = {};  // why they are not served yet
  std::optional<async::WallTime> certificate_expires = {};
  std::vector<CertificateTerm> certificates = {};  // those that can expire
  std::vector<CertificateProblem> certificate_problems = {};
  std::vector<WebhookFigures> webhooks = {};

  std::string api_server = {};
  std::vector<std::pair<std::string, std::uint64_t>> requests = {};  // "GET 200" -> requests to the API server
  std::string api_error = {};                                        // the last one, or empty
  async::Duration api_error_ago{0};
  std::size_t server_connections = 0;  // of clients of all our servers
  std::size_t server_bytes = 0;        // their buffers

  std::uint64_t conflicts = 0;  // since the start: another writer changed a field of a child back repeatedly
  std::uint64_t contested = 0;  // children that another writer changes back now
  std::uint64_t error_lines = 0;
  std::vector<RecentError> errors = {};  // the last one first

  // Of the whole process.
  std::vector<float> lag_history = {};     // seconds
  std::vector<float> memory_history = {};  // bytes
  std::vector<float> depth_history = {};   // keys in all queues
  std::vector<float> rate_history = {};    // reconciles per second
};

[[nodiscard]] Page status_page(const Status& status);
// camelCase names, durations in seconds, times in RFC 3339.
[[nodiscard]] std::string status_json(const Status& status);

}  // namespace keelson::zpages
