#include "src/program/status_pages.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <string_view>

#include "keelson/detail/metrics/names.hpp"
#include "keelson/detail/metrics/process.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"

namespace keelson::program {

namespace {

// Names of series of zpages::History.
constexpr const char* kLag = "lag";
constexpr const char* kMemory = "memory";
constexpr const char* kDepth = "depth";
constexpr const char* kRate = "rate";

std::string series_of(const char* what, const std::string& controller) { return std::string(what) + " " + controller; }

std::uint64_t to_count(double value) { return static_cast<std::uint64_t>(value); }

// The container's limit; 0 if there is none, or if it is that of the machine.
std::uint64_t read_memory_limit() {
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::uint64_t bytes = 0;
  file >> bytes;
  return file ? bytes : 0;
}

// The library, compiler, platform and libraries, without the commit, which the page shows itself if it is the
// program's.
std::vector<std::string> build_lines() {
  std::vector<std::string> lines;
  const auto text = version_text();
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.starts_with("commit ")) lines.emplace_back(line);
  }
  return lines;
}

// The sum of the samples whose labels begin with `labels`.
double sum_of(const std::vector<metrics::Sample>& samples, const std::vector<std::string>& labels) {
  double sum = 0;
  for (const auto& sample : samples) {
    const bool matches =
        sample.labels.size() >= labels.size() && std::equal(labels.begin(), labels.end(), sample.labels.begin());
    if (matches) sum += sample.value;
  }
  return sum;
}

// Of the seconds of a gauge, which are those of a WallTime.
async::WallTime wall_time_of(double seconds) {
  return std::chrono::sys_seconds(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

}  // namespace

StatusPages::StatusPages(StatusSources sources)
    : sources_(std::move(sources)),
      started_(sources_.clock.now()),
      memory_limit_(read_memory_limit()),
      history_(sources_.executor, sources_.clock) {
  add_history();
}

void StatusPages::add_history() {
  using Sampling = zpages::History::Sampling;
  history_.add(kLag, Sampling::kValue,
               [this] { return std::chrono::duration<double>(sources_.loop_lag.take_recent()).count(); });
  history_.add(kMemory, Sampling::kValue, [] { return static_cast<double>(metrics::resident_bytes()); });
  // The series of the controllers follow it and use its numbers, because status() is about all controllers.
  history_.add(kDepth, Sampling::kValue, [this] {
    ready_.clear();
    for (const auto& controller : sources_.controllers.status()) {
      ready_.push_back(static_cast<double>(controller.queue.ready));
    }
    return std::accumulate(ready_.begin(), ready_.end(), 0.0);
  });
  history_.add(kRate, Sampling::kTotal,
               [this] { return sum_of(sources_.registry.samples(metrics::kReconcileTotal.name), {}); });
  const auto all = sources_.controllers.status();
  for (std::size_t place = 0; place < all.size(); ++place) {
    const auto& name = all[place].name;
    history_.add(series_of(kDepth, name), Sampling::kValue, [this, place] { return ready_.at(place); });
    history_.add(series_of(kRate, name), Sampling::kTotal,
                 [this, name] { return sum_of(sources_.registry.samples(metrics::kReconcileTotal.name), {name}); });
  }
}

std::vector<lifecycle::HttpEndpoint> StatusPages::endpoints(const std::vector<std::string>& others) {
  paths_ = {"/statusz", "/flagz"};
  paths_.insert(paths_.end(), others.begin(), others.end());
  auto& clock = sources_.clock;
  return {{"/statusz", zpages::make_page_handler(clock, [this](zpages::Format format) { return statusz(format); })},
          {"/flagz", zpages::make_page_handler(clock, [this](zpages::Format format) { return flagz(format); })}};
}

std::string StatusPages::statusz(zpages::Format format) const {
  switch (format) {
    case zpages::Format::kHtml:
      return html_of(status_page(status()));
    case zpages::Format::kText:
      return plain_text_of(status_page(status()));
    case zpages::Format::kJson:
      break;
  }
  return status_json(status());
}

std::string StatusPages::flagz(zpages::Format format) const {
  switch (format) {
    case zpages::Format::kHtml:
      return html_of(flags_page(sources_.program, sources_.flags, paths_));
    case zpages::Format::kText:
      return flags_text(sources_.program, sources_.flags);
    case zpages::Format::kJson:
      break;
  }
  return flags_json(sources_.program, sources_.flags);
}

zpages::Status StatusPages::status() const {
  zpages::Status status;
  status.program = sources_.program;
  status.version = sources_.version.version;
  status.commit = sources_.version.commit;
  status.build = build_lines();
  status.paths = paths_;
  status.now = sources_.clock.wall_now();
  status.uptime = sources_.clock.now() - started_;
  status.loop_lag = sources_.loop_lag.recent();
  status.timers = sources_.clock.pending();
  status.resident_bytes = metrics::resident_bytes();
  status.memory_limit = memory_limit_;
  status.is_dry_run = sources_.is_dry_run;
  if (sources_.elector != nullptr) status.leader = sources_.elector->status();
  status.controllers = controllers();
  status.informers = informers();
  status.unhealthy = sources_.controllers.unhealthy();
  if (sources_.log_level != nullptr) status.log_level = sources_.log_level->state();
  fill_webhooks(status);
  fill_certificates(status);
  fill_requests(status);
  status.server_connections = sources_.servers.connections();
  status.server_bytes = sources_.servers.held_bytes();
  status.concurrency = sources_.controllers.concurrency();
  status.conflicts = to_count(sum_of(sources_.registry.samples("keelson_write_conflicts_total"), {}));
  status.contested = to_count(sum_of(sources_.registry.samples("keelson_contested_children"), {}));
  status.error_lines = sources_.errors.total();
  status.errors.assign(sources_.errors.recent().begin(), sources_.errors.recent().end());
  status.lag_history = history_.points(kLag);
  status.memory_history = history_.points(kMemory);
  status.depth_history = history_.points(kDepth);
  status.rate_history = history_.points(kRate);
  return status;
}

std::vector<zpages::ControllerFigures> StatusPages::controllers() const {
  const auto results = sources_.registry.samples(metrics::kReconcileTotal.name);
  const auto durations = sources_.registry.samples(metrics::kReconcileTimeSeconds.name);
  std::vector<zpages::ControllerFigures> all;
  for (auto& controller : sources_.controllers.status()) {
    zpages::ControllerFigures figures;
    figures.status = std::move(controller);
    const auto& name = figures.status.name;
    figures.errors = to_count(sum_of(results, {name, "error"}));
    figures.successes = to_count(sum_of(results, {name})) - figures.errors;
    for (const auto& sample : durations) {
      if (sample.labels.front() != name) continue;
      figures.seconds = sample.value;
      figures.durations = sample.buckets;
    }
    figures.depth_history = history_.points(series_of(kDepth, name));
    figures.rate_history = history_.points(series_of(kRate, name));
    all.push_back(std::move(figures));
  }
  return all;
}

std::vector<zpages::InformerFigures> StatusPages::informers() const {
  const auto relists = sources_.registry.samples("keelson_cache_relists_total");
  const auto events = sources_.registry.samples("keelson_watch_events_total");
  std::vector<zpages::InformerFigures> all;
  for (auto& informer : sources_.cache.status()) {
    zpages::InformerFigures figures;
    figures.relists = to_count(sum_of(relists, {informer.group, informer.kind}));
    figures.events = to_count(sum_of(events, {informer.group, informer.kind}));
    figures.status = std::move(informer);
    all.push_back(std::move(figures));
  }
  return all;
}

void StatusPages::fill_webhooks(zpages::Status& status) const {
  const auto* server = sources_.webhooks.server();
  status.serves_webhooks = server != nullptr;
  if (server == nullptr) return;
  const auto checked = server->check();
  if (!checked) status.webhook_problem = checked.error().message();
  status.certificate_expires = server->certificate_expires();
  const auto requests = sources_.registry.samples(metrics::kWebhookRequestsTotal.name);
  for (const auto& path : sources_.webhooks.paths()) {
    auto& webhook = status.webhooks.emplace_back();
    webhook.path = path;
    for (const auto& sample : requests) {
      if (sample.labels.front() == path && sample.value > 0) {
        webhook.requests.emplace_back(sample.labels.back(), to_count(sample.value));
      }
    }
  }
}

// While the webhooks are not served, the reason is shown already.
void StatusPages::fill_certificates(zpages::Status& status) const {
  const auto lifetimes = sources_.registry.samples("keelson_certificate_lifetime_seconds");
  for (const auto& expiry : sources_.registry.samples("keelson_certificate_expiry_seconds")) {
    for (const auto& lifetime : lifetimes) {
      if (lifetime.labels != expiry.labels) continue;
      const tls::CertificateValidity validity{wall_time_of(expiry.value - lifetime.value), wall_time_of(expiry.value)};
      status.certificates.push_back(
          {expiry.labels.front(), validity.until, tls::expiry_level(validity, status.now) > 0});
    }
  }
  const auto add = [&status](const char* server, const CertificateHealth::Problem* problem) {
    if (problem != nullptr) status.certificate_problems.push_back({server, problem->error, problem->since});
  };
  if (status.webhook_problem.empty()) add("webhook", sources_.webhooks.certificate_problem());
  add("metrics", sources_.metrics_endpoint.certificate_problem());
}

void StatusPages::fill_requests(zpages::Status& status) const {
  status.api_server = sources_.api_server;
  for (const auto& sample : sources_.registry.samples(metrics::kRestClientRequestsTotal.name)) {
    auto what = sample.labels.at(1) + " " + sample.labels.front();
    // The third label is the host.
    const bool is_same = !status.requests.empty() && status.requests.back().first == what;
    if (!is_same) status.requests.emplace_back(std::move(what), 0);
    status.requests.back().second += to_count(sample.value);
  }
  status.api_error = sources_.api_failure.error;
  if (!status.api_error.empty()) status.api_error_ago = sources_.clock.now() - sources_.api_failure.at;
}

}  // namespace keelson::program
