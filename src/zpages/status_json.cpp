#include <cmath>

#include "keelson/detail/zpages/status.hpp"
#include "keelson/json/writer.hpp"
#include "src/zpages/attention.hpp"
#include "src/zpages/figures.hpp"

namespace keelson::zpages {

namespace {

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

void write_count(json::Writer& writer, std::string_view name, std::uint64_t value) {
  writer.key(name).unsigned_integer(value);
}

void write_seconds(json::Writer& writer, std::string_view name, async::Duration value) {
  writer.field(name, seconds_of(value));
}

// `write` writes an element.
template <class List, class Write>
void write_list(json::Writer& writer, std::string_view name, const List& list, Write write) {
  writer.key(name).begin_array();
  for (const auto& element : list) write(writer, element);
  writer.end_array();
}

void write_points(json::Writer& writer, std::string_view name, const std::vector<float>& points) {
  // A float has seven digits.
  write_list(writer, name, points,
             [](auto& out, float point) { out.number(std::round(static_cast<double>(point) * 1e6) / 1e6); });
}

void write_counts(json::Writer& writer, std::string_view name, const Counts& counts) {
  writer.key(name).begin_object();
  for (const auto& [key, value] : counts) write_count(writer, key, value);
  writer.end_object();
}

void write_key(json::Writer& writer, std::string_view key, async::Duration time) {
  writer.begin_object().field("key", key);
  write_seconds(writer, "seconds", time);
  writer.end_object();
}

void write_queue(json::Writer& writer, const queue::QueueSnapshot& queue) {
  writer.key("queue").begin_object();
  write_count(writer, "ready", queue.ready);
  write_count(writer, "waiting", queue.waiting);
  write_count(writer, "inProgress", queue.in_progress);
  write_count(writer, "failing", queue.failing);
  if (queue.oldest) write_key(writer.key("oldest"), queue.oldest->key, queue.oldest->time);
  if (queue.next) write_key(writer.key("next"), queue.next->key, queue.next->time);
  write_list(writer, "running", queue.running, [](auto& out, const auto& one) { write_key(out, one.key, one.time); });
  writer.end_object();
}

void write_unhealthy(json::Writer& writer, const controller::UnhealthyKind& kind) {
  writer.begin_object().field("kind", kind.kind).field("condition", kind.condition);
  write_count(writer, "count", kind.count);
  write_list(writer, "objects", kind.objects, [](auto& out, const auto& object) {
    out.begin_object().field("key", object.key).field("problem", object.problem).end_object();
  });
  writer.end_object();
}

void write_controller(json::Writer& writer, const ControllerFigures& controller) {
  const auto& status = controller.status;
  writer.begin_object().field("name", status.name).field("isRunning", status.is_running);
  writer.field("workers", status.workers);
  write_count(writer, "successes", controller.successes);
  write_count(writer, "errors", controller.errors);
  writer.field("reconcileSeconds", controller.seconds);
  for (const auto& [name, share] : {std::pair("p50Seconds", 0.5), {"p90Seconds", 0.9}, {"p99Seconds", 0.99}}) {
    writer.field(name, quantile(controller.durations, share));
  }
  write_queue(writer, status.queue);
  write_list(writer, "slowest", status.slowest, [](auto& out, const auto& key) {
    out.begin_object().field("key", key.key);
    write_seconds(out, "seconds", key.lasted);
    write_seconds(out, "agoSeconds", key.ago);
    out.end_object();
  });
  if (status.pause) {
    writer.key("pause").begin_object().field("reason", status.pause->reason);
    writer.field("user", status.pause->user).field("since", time_text(status.pause->since));
    if (status.pause->until) writer.field("until", time_text(*status.pause->until));
    writer.end_object();
  }
  write_list(writer, "failing", status.failing, [](auto& out, const auto& key) {
    out.begin_object().field("key", key.key).field("error", key.error).field("retries", key.retries);
    write_seconds(out, "agoSeconds", key.ago);
    out.end_object();
  });
  write_list(writer, "busy", status.busy, [](auto& out, const auto& key) {
    out.begin_object().field("key", key.key).field("immediate", key.immediate);
    write_count(out, "reconciles", key.reconciles);
    out.end_object();
  });
  writer.end_object();
}

void write_informer(json::Writer& writer, const InformerFigures& informer) {
  const auto& status = informer.status;
  writer.begin_object().field("resource", status.resource);
  if (!status.selection.empty()) writer.field("selection", status.selection);
  write_count(writer, "namespaces", status.namespaces);
  write_count(writer, "objects", status.objects);
  write_count(writer, "bytes", status.bytes);
  write_seconds(writer, "ageSeconds", status.age);
  writer.field("resourceVersion", std::to_string(status.version)).field("hasSynced", status.has_synced);
  write_count(writer, "relists", informer.relists);
  write_count(writer, "events", informer.events);
  if (!status.problem.empty()) {
    writer.field("problem", status.problem);
    write_seconds(writer, "failingSeconds", status.failing_for);
  }
  writer.end_object();
}

void write_leader(json::Writer& writer, const leader::ElectorStatus& leader) {
  writer.key("leader").begin_object().field("identity", leader.identity).field("lease", leader.lease);
  writer.field("isLeader", leader.state == leader::Elector::State::kLeading);
  write_seconds(writer, "inStateSeconds", leader.in_state);
  if (leader.observed) {
    writer.field("holder", leader.observed->holder).field("acquireTime", leader.observed->acquire_time);
    writer.field("renewTime", leader.observed->renew_time).field("transitions", leader.observed->transitions);
    write_seconds(writer, "unchangedSeconds", leader.unchanged);
  }
  if (!leader.problem.empty()) writer.field("problem", leader.problem);
  writer.end_object();
}

void write_webhooks(json::Writer& writer, const Status& status) {
  writer.key("webhooks").begin_object().field("isOn", status.serves_webhooks);
  if (!status.webhook_problem.empty()) writer.field("problem", status.webhook_problem);
  if (status.certificate_expires) writer.field("certificateExpires", time_text(*status.certificate_expires));
  write_list(writer, "certificateProblems", status.certificate_problems, [](auto& out, const auto& problem) {
    out.begin_object().field("server", problem.server).field("since", time_text(problem.since));
    out.field("error", problem.error).end_object();
  });
  writer.key("requests").begin_object();
  for (const auto& webhook : status.webhooks) write_counts(writer, webhook.path, webhook.requests);
  writer.end_object().end_object();
}

// A row of the page's first section; one about objects also with their kind and condition.
void write_item(json::Writer& writer, const AttentionItem& item) {
  writer.begin_object().field("what", item.what).field("details", item.details);
  if (!item.kind.empty()) {
    writer.field("kind", item.kind).field("resource", item.resource).field("condition", item.condition);
  }
  if (!item.key.empty()) writer.field("key", item.key);
  writer.end_object();
}

void write_certificate(json::Writer& writer, const CertificateTerm& certificate) {
  writer.begin_object().field("use", certificate.use).field("expires", time_text(certificate.expires));
  writer.field("endsSoon", certificate.ends_soon).end_object();
}

void write_error(json::Writer& writer, const RecentError& error) {
  writer.begin_object().field("last", time_text(error.last)).field("logger", error.logger);
  writer.field("message", error.message).field("about", error.about).field("error", error.error);
  write_count(writer, "count", error.count);
  writer.end_object();
}

}  // namespace

std::string status_json(const Status& status) {
  json::Writer writer;
  writer.begin_object().field("kind", "Statusz").field("program", status.program);
  writer.field("version", status.version).field("commit", status.commit);
  write_list(writer, "build", status.build, [](auto& out, const auto& line) { out.string(line); });
  writer.field("now", time_text(status.now)).field("startTime", time_text(status.now - status.uptime));
  write_seconds(writer, "uptimeSeconds", status.uptime);
  write_seconds(writer, "loopLagSeconds", status.loop_lag);
  write_count(writer, "timers", status.timers);
  write_count(writer, "residentBytes", status.resident_bytes);
  write_count(writer, "memoryLimitBytes", status.memory_limit);
  writer.field("isDryRun", status.is_dry_run);
  write_list(writer, "attention", attention_items(status), write_item);
  if (status.log_level) {
    writer.key("logLevel").begin_object().field("now", status.log_level->now);
    writer.field("atStart", status.log_level->at_start).field("changed", status.log_level->changed).end_object();
  }
  if (status.leader) write_leader(writer, *status.leader);
  write_list(writer, "controllers", status.controllers, write_controller);
  write_list(writer, "unhealthyKinds", status.unhealthy, write_unhealthy);
  write_list(writer, "informers", status.informers, write_informer);
  write_webhooks(writer, status);
  write_list(writer, "certificates", status.certificates, write_certificate);
  writer.key("apiServer").begin_object().field("url", status.api_server);
  write_counts(writer, "requests", status.requests);
  if (!status.api_error.empty()) {
    writer.field("lastError", status.api_error);
    write_seconds(writer, "lastErrorAgoSeconds", status.api_error_ago);
  }
  writer.end_object();
  write_count(writer, "serverConnections", status.server_connections);
  write_count(writer, "serverBytes", status.server_bytes);
  writer.key("concurrency").begin_object();
  writer.field("limit", status.concurrency.limit).field("workers", status.concurrency.workers);
  writer.field("inUse", status.concurrency.in_use).end_object();
  write_count(writer, "writeConflicts", status.conflicts);
  write_count(writer, "contestedChildren", status.contested);
  write_count(writer, "errorLines", status.error_lines);
  write_list(writer, "recentErrors", status.errors, write_error);
  writer.key("history").begin_object().field("intervalSeconds", 10);
  write_points(writer, "readyKeys", status.depth_history);
  write_points(writer, "reconcilesPerSecond", status.rate_history);
  write_points(writer, "loopLagSeconds", status.lag_history);
  write_points(writer, "residentBytes", status.memory_history);
  writer.end_object().end_object();
  return std::move(writer).take() + "\n";
}

}  // namespace keelson::zpages
