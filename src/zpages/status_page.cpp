#include <algorithm>
#include <cmath>

#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/zpages/status.hpp"
#include "src/zpages/attention.hpp"
#include "src/zpages/figures.hpp"

namespace keelson::zpages {
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kSlowestKeys = 10;

std::string number(std::uint64_t value) { return std::to_string(value); }

Tone tone_if(bool is_bad, Tone tone) { return is_bad ? tone : Tone::kPlain; }

std::string ago(async::Duration duration) { return span_text(duration) + " ago"; }

Cell key_cell(const ControllerFigures& controller, const std::string& key) {
  return {key, Tone::kPlain, {}, object_link(controller.status.resource, key)};
}

Section controllers(const Status& status) {
  Table table{.columns = {{"Controller"},
                          {"Ready", true},
                          {"Waiting", true},
                          {"Workers", true},
                          {"Failing", true},
                          {"Reconciles", true},
                          {"Errors", true},
                          {"p50", true},
                          {"p99", true},
                          {"Rate", true}},
              .rows = {},
              .when_empty = "no controllers"};
  for (const auto& controller : status.controllers) {
    const auto& queue = controller.status.queue;
    const auto rate = controller.rate_history.empty() ? std::string() : decimal(controller.rate_history.back()) + "/s";
    const auto duration = [&](double share) {
      return controller.successes + controller.errors == 0 ? std::string("-")
                                                           : short_time(quantile(controller.durations, share));
    };
    table.rows.push_back({{controller.status.name + (controller.status.pause ? " (paused)" : ""),
                           tone_if(controller.status.pause.has_value(), Tone::kWarning)},
                          {number(queue.ready), Tone::kPlain, controller.depth_history},
                          {number(queue.waiting)},
                          {number(queue.in_progress) + "/" + std::to_string(controller.status.workers)},
                          {number(queue.failing), tone_if(queue.failing > 0, Tone::kBad)},
                          {number(controller.successes + controller.errors)},
                          {number(controller.errors)},
                          {duration(0.5)},
                          {duration(0.99)},
                          {rate, Tone::kPlain, controller.rate_history}});
  }
  Section section{.title = "Controllers", .tables = {std::move(table)}};
  // The total says nothing about the present, so it is not in the first section.
  if (status.conflicts > 0) {
    section.facts = {{"Conflicts with other writers since the start", number(status.conflicts)}};
  }
  return section;
}

Table failing_keys(const Status& status) {
  Table table{.title = "Failing keys",
              .columns = {{"Key"}, {"Controller"}, {"Retries", true}, {"Last failure", true}, {"Error"}},
              .rows = {}};
  for (const auto& controller : status.controllers) {
    for (const auto& key : controller.status.failing) {
      table.rows.push_back({key_cell(controller, key.key),
                            {controller.status.name, Tone::kDim},
                            {std::to_string(key.retries)},
                            {ago(key.ago)},
                            {key.error, Tone::kBad}});
    }
  }
  return table;
}

Table waiting_keys(const Status& status) {
  Table table{
      .title = "Keys in the queues", .columns = {{"Key"}, {"Controller"}, {"State"}, {"Time", true}}, .rows = {}};
  for (const auto& controller : status.controllers) {
    const auto& queue = controller.status.queue;
    const auto add = [&](const queue::QueueSnapshot::KeyTime& key, const char* state) {
      table.rows.push_back({key_cell(controller, key.key),
                            {controller.status.name, Tone::kDim},
                            {state},
                            {short_time(seconds_of(key.time))}});
    };
    for (const auto& key : queue.running) add(key, "in progress for");
    if (queue.oldest) add(*queue.oldest, "oldest ready key, waits for");
    if (queue.next) add(*queue.next, "next delayed key, due in");
  }
  return table;
}

Table slowest_keys(const Status& status) {
  struct Slow {
    const controller::SlowKey* key;
    const ControllerFigures* controller;
  };
  std::vector<Slow> all;
  for (const auto& controller : status.controllers) {
    for (const auto& key : controller.status.slowest) all.push_back({&key, &controller});
  }
  std::ranges::sort(all, [](const Slow& a, const Slow& b) { return a.key->lasted > b.key->lasted; });
  if (all.size() > kSlowestKeys) all.resize(kSlowestKeys);
  Table table{.title = "Slowest keys by their last reconcile",
              .columns = {{"Key"}, {"Controller"}, {"Took", true}, {"Ended", true}},
              .rows = {}};
  for (const auto& [key, controller] : all) {
    table.rows.push_back({key_cell(*controller, key->key),
                          {controller->status.name, Tone::kDim},
                          {short_time(seconds_of(key->lasted))},
                          {ago(key->ago)}});
  }
  return table;
}

Section keys(const Status& status) {
  return {.title = "Keys", .tables = {failing_keys(status), waiting_keys(status), slowest_keys(status)}};
}

Section informers(const Status& status) {
  Table table{.columns = {{"Kind"},
                          {"Objects", true},
                          {"Bytes", true},
                          {"Last data", true},
                          {"Version", true},
                          {"Events", true},
                          {"Relists", true},
                          {"State"}},
              .rows = {},
              .when_empty = "no informers"};
  for (const auto& [informer, relists, events] : status.informers) {
    auto kind = informer.resource;
    if (!informer.selection.empty()) kind += " (" + informer.selection + ")";
    if (informer.namespaces > 0) kind += " in " + base::counted(informer.namespaces, "namespace");
    const bool is_failing = !informer.problem.empty();
    const auto state = is_failing            ? "fails for " + span_text(informer.failing_for) + ": " + informer.problem
                       : informer.has_synced ? "synced"
                                             : "listing";
    table.rows.push_back({{kind},
                          {number(informer.objects)},
                          {bytes_text(static_cast<double>(informer.bytes))},
                          {ago(informer.age), tone_if(is_stale(informer), Tone::kWarning)},
                          {number(informer.version)},
                          {number(events)},
                          {number(relists)},
                          {state, is_failing            ? Tone::kBad
                                  : informer.has_synced ? Tone::kGood
                                                        : Tone::kWarning}});
  }
  return {.title = "Informers", .tables = {std::move(table)}};
}

std::string_view state_text(leader::Elector::State state) {
  switch (state) {
    case leader::Elector::State::kStandby:
      return "standby";
    case leader::Elector::State::kLeading:
      return "leader";
    case leader::Elector::State::kLost:
      break;
  }
  return "lost";
}

Section election(const Status& status) {
  Section section{.title = "Leader election"};
  if (!status.leader) {
    section.facts = {{"Leader election", "off"}};
    return section;
  }
  const auto& leader = *status.leader;
  section.facts = {{"State", std::string(state_text(leader.state)) + " for " + span_text(leader.in_state)},
                   {"Identity", leader.identity},
                   {"Lease", leader.lease}};
  if (!leader.observed) return section;
  section.facts.push_back({"Holder", leader.observed->holder.empty() ? "released" : leader.observed->holder});
  section.facts.push_back({"Acquired", leader.observed->acquire_time});
  section.facts.push_back({"Last renewal", ago(leader.unchanged)});
  section.facts.push_back({"Transitions", std::to_string(leader.observed->transitions)});
  return section;
}

Section webhooks(const Status& status) {
  Section section{.title = "Webhooks"};
  Table table{.columns = {{"Path"}, {"Requests by HTTP status"}}, .rows = {}, .when_empty = "no webhooks"};
  if (status.serves_webhooks) {
    const auto expires = status.certificate_expires ? time_text(*status.certificate_expires) : std::string("none yet");
    const bool ends_soon =
        std::ranges::any_of(status.certificates, [](const auto& one) { return one.use == "webhook" && one.ends_soon; });
    section.facts = {{"Certificate expires", expires, tone_if(ends_soon, Tone::kWarning)}};
    for (const auto& webhook : status.webhooks) {
      std::string counts;
      for (const auto& [code, count] : webhook.requests) {
        counts += (counts.empty() ? "" : ", ") + code + ": " + number(count);
      }
      table.rows.push_back({{webhook.path}, {counts.empty() ? "none" : counts}});
    }
  } else {
    table.when_empty = "off";
  }
  section.tables.push_back(std::move(table));
  return section;
}

Section connections(const Status& status) {
  Section section{.title = "Connections"};
  section.facts = {
      {"API server", status.api_server},
      {"Clients of this process", base::counted(status.server_connections, "connection") + " with " +
                                      bytes_text(static_cast<double>(status.server_bytes)) + " of buffers"}};
  if (!status.api_error.empty()) {
    section.facts.push_back({"Last error", status.api_error + ", " + ago(status.api_error_ago), Tone::kWarning});
  }
  Table table{.title = "Requests to the API server", .columns = {{"Method and code"}, {"Requests", true}}, .rows = {}};
  for (const auto& [what, count] : status.requests) {
    const bool is_error = what.find(" 5") != std::string::npos || what.ends_with("<error>");
    table.rows.push_back({{what, tone_if(is_error, Tone::kWarning)}, {number(count)}});
  }
  section.tables.push_back(std::move(table));
  return section;
}

Section recent_errors(const Status& status) {
  Table table{.columns = {{"Last"}, {"Count", true}, {"Message"}, {"About"}, {"Error"}}, .rows = {}};
  for (const auto& error : status.errors) {
    table.rows.push_back({{time_text(error.last)},
                          {number(error.count)},
                          {(error.logger.empty() ? "" : error.logger + ": ") + error.message},
                          {error.about, Tone::kDim},
                          {error.error, Tone::kBad}});
  }
  return {.title = "Recent errors",
          .facts = {{"Error lines since the start", number(status.error_lines)}},
          .tables = {std::move(table)}};
}

Section build(const Status& status) {
  Section section{.title = "Build", .facts = {{"Version", status.version}, {"Commit", status.commit}}};
  for (const auto& line : status.build) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos) continue;
    section.facts.push_back({line.substr(0, blank), line.substr(blank + 1)});
  }
  return section;
}

template <class Format>
Chart chart(std::string name, const std::vector<float>& points, double now, Format format) {
  const double most = points.empty() ? now : *std::ranges::max_element(points);
  return {std::move(name), format(now), format(std::max(most, now)), points};
}

std::vector<Chart> charts(const Status& status) {
  std::uint64_t depth = 0;
  for (const auto& controller : status.controllers) depth += controller.status.queue.ready;
  const double rate = status.rate_history.empty() ? 0 : status.rate_history.back();
  auto lag = chart("Loop lag", status.lag_history, seconds_of(status.loop_lag), short_time);
  lag.tone = tone_if(status.loop_lag > kLongLag, Tone::kWarning);
  auto memory = chart("Memory", status.memory_history, static_cast<double>(status.resident_bytes), bytes_text);
  if (status.memory_limit > 0) {
    memory.most += " of " + bytes_text(static_cast<double>(status.memory_limit));
    if (status.resident_bytes > status.memory_limit / 10 * 9) memory.tone = Tone::kBad;
  }
  return {chart("Ready keys", status.depth_history, static_cast<double>(depth), decimal),
          chart("Reconciles per second", status.rate_history, rate, decimal), std::move(lag), std::move(memory)};
}

}  // namespace

Page status_page(const Status& status) {
  Page page{.title = "statusz", .program = status.program};
  page.badge = status.is_dry_run ? "dry run" : status.leader ? state_text(status.leader->state) : "leader election off";
  const bool leads = status.leader && status.leader->state == leader::Elector::State::kLeading;
  page.badge_tone = status.is_dry_run ? Tone::kWarning : leads ? Tone::kGood : Tone::kDim;
  page.facts = {{"Version", status.version + " (" + status.commit + ")"},
                {"Started", time_text(status.now - status.uptime)},
                {"Up", span_text(status.uptime)},
                {"Now", time_text(status.now)},
                {"Timers", number(status.timers)}};
  if (status.log_level) {
    const auto& level = *status.log_level;
    page.facts.push_back({"Log level", level.now, tone_if(!level.changed.empty(), Tone::kWarning)});
  }
  page.links = status.paths;
  page.period = "the last 10 minutes";
  page.charts = charts(status);
  page.sections = {attention(status), controllers(status), keys(status),          informers(status), election(status),
                   webhooks(status),  connections(status), recent_errors(status), build(status)};
  return page;
}

}  // namespace keelson::zpages
