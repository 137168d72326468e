#include "src/zpages/attention.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/controller/debug_objects.hpp"
#include "src/zpages/figures.hpp"

namespace keelson::zpages {
using namespace std::chrono_literals;

namespace {

// Bookmarks arrive about once a minute; /readyz/fresh uses the same limit.
constexpr auto kStale = 3min;
constexpr auto kLongWait = 1min;

class AttentionRows {
 public:
  void add(std::string what, std::string details, Tone tone = Tone::kWarning, std::string link = {}) {
    items_.push_back({std::move(what), std::move(details), tone, std::move(link)});
  }
  void add(AttentionItem item) { items_.push_back(std::move(item)); }
  // A row about one key, whose details begin with it.
  void add_key(const ControllerFigures& controller, std::string what, const std::string& key,
               const std::string& details) {
    items_.push_back(
        {std::move(what), key + details, Tone::kWarning, {}, object_link(controller.status.resource, key)});
  }
  [[nodiscard]] std::vector<AttentionItem> take() && { return std::move(items_); }

 private:
  std::vector<AttentionItem> items_;
};

void add_informers(AttentionRows& rows, const Status& status) {
  for (const auto& [informer, relists, events] : status.informers) {
    if (!informer.problem.empty()) {
      rows.add("Watch of " + informer.resource + " fails",
               "for " + span_text(informer.failing_for) + ": " + informer.problem, Tone::kBad);
    } else if (!informer.has_synced) {
      rows.add("Cache of " + informer.resource + " has not synced", "the controllers that need it are waiting");
    } else if (is_stale(informer)) {
      rows.add("Watch of " + informer.resource + " is silent", "no event or bookmark for " + span_text(informer.age));
    }
  }
}

void add_leader(AttentionRows& rows, const leader::ElectorStatus& leader) {
  if (!leader.problem.empty()) {
    rows.add("Lease " + leader.lease + " cannot be read or written", leader.problem, Tone::kBad);
  }
  if (leader.state == leader::Elector::State::kLost) rows.add("Leadership is lost", "the process exits", Tone::kBad);
}

std::string busy_text(const controller::BusyKey& busy) {
  if (busy.immediate == 0) return base::counted(busy.reconciles, "time") + " within a minute";
  return base::counted(static_cast<std::uint64_t>(busy.immediate), "reconcile") +
         " in a row requested the next one without a delay";
}

void add_controller(AttentionRows& rows, const ControllerFigures& controller) {
  const auto& queue = controller.status.queue;
  const auto& name = controller.status.name;
  if (controller.status.pause) {
    rows.add("Controller " + name + " is paused",
             controller.status.pause->text() + " (" + base::counted(queue.ready, "key") + " ready)");
  }
  if (queue.failing > 0) {
    rows.add(std::string(base::singular_or_plural(queue.failing, "A key", "Keys")) + " of " + name +
                 base::singular_or_plural(queue.failing, " fails", " fail"),
             base::counted(queue.failing, "key") + base::singular_or_plural(queue.failing, " is", " are") +
                 " retried with backoff",
             Tone::kWarning, object_list_link(controller.status.resource, "error"));
  }
  for (const auto& busy : controller.status.busy) {
    rows.add_key(controller, "A key of " + name + " is reconciled again and again", busy.key, ": " + busy_text(busy));
  }
  // The keys of a paused controller wait for its end.
  if (queue.oldest && queue.oldest->time > kLongWait && !controller.status.pause) {
    rows.add_key(controller, "Keys of " + name + " wait for a worker", queue.oldest->key,
                 " for " + span_text(queue.oldest->time));
  }
  if (!queue.running.empty() && queue.running.front().time > kLongWait) {
    const auto& [key, time] = queue.running.front();
    rows.add_key(controller, "A reconcile of " + name + " is slow", key, " is in progress for " + span_text(time));
  }
}

void add_objects(AttentionRows& rows, const controller::UnhealthyKind& kind) {
  const auto add = [&](std::string what, std::string details, std::string link, std::string key) {
    rows.add({.what = std::move(what),
              .details = std::move(details),
              .link = std::move(link),
              .kind = kind.kind,
              .resource = kind.resource,
              .condition = kind.condition,
              .key = std::move(key)});
  };
  for (const auto& object : kind.objects) {
    add(kind.kind + " " + object.key, kind.condition + ": " + object.problem, object_link(kind.resource, object.key),
        object.key);
  }
  const auto others = kind.count - std::min(kind.count, kind.objects.size());
  if (others == 0) return;
  add("Other objects of kind " + kind.kind,
      std::to_string(others) + " more" + base::singular_or_plural(others, " has", " have") + " the condition " +
          kind.condition,
      "", "");
}

void add_certificates(AttentionRows& rows, const Status& status) {
  if (!status.webhook_problem.empty()) rows.add("Webhooks are not served", status.webhook_problem, Tone::kBad);
  for (const auto& problem : status.certificate_problems) {
    rows.add("Work on the " + problem.server + " certificate fails",
             "since " + time_text(problem.since) + ": " + problem.error, Tone::kBad);
  }
  for (const auto& certificate : status.certificates) {
    if (!certificate.ends_soon) continue;
    const auto left = certificate.expires - status.now;
    rows.add("Certificate for " + certificate.use,
             left <= 0s ? "expired " + span_text(-left) + " ago" : "expires in " + span_text(left),
             left <= 0s ? Tone::kBad : Tone::kWarning);
  }
}

// The alert KeelsonMemoryHigh has the same threshold.
void add_memory(AttentionRows& rows, const Status& status) {
  const auto used = static_cast<double>(status.resident_bytes);
  const auto limit = static_cast<double>(status.memory_limit);
  if (status.memory_limit == 0 || used <= 0.9 * limit) return;
  auto details = bytes_text(used) + " of " + bytes_text(limit);
  const auto largest = std::ranges::max_element(
      status.informers,
      [](const InformerFigures& a, const InformerFigures& b) { return a.status.bytes < b.status.bytes; });
  if (largest != status.informers.end()) {
    details += "; the largest cache is that of " + largest->status.resource + ": " +
               bytes_text(static_cast<double>(largest->status.bytes)) + ", " +
               base::counted(largest->status.objects, "object");
  }
  rows.add("The memory is nearly full", std::move(details), Tone::kBad);
}

void add_process(AttentionRows& rows, const Status& status) {
  add_memory(rows, status);
  if (status.contested > 0) {
    rows.add("Another writer changes children back",
             std::to_string(status.contested) + base::singular_or_plural(status.contested, " child", " children") +
                 " now; see the Events");
  }
  if (status.concurrency.limit < status.concurrency.workers) {
    rows.add("The API server is overloaded",
             std::to_string(status.concurrency.limit) + " of " +
                 base::counted(static_cast<std::uint64_t>(status.concurrency.workers), "worker") +
                 " may reconcile at once");
  }
  if (status.loop_lag > kLongLag) rows.add("The event loop is late", short_time(seconds_of(status.loop_lag)));
  if (status.log_level && !status.log_level->changed.empty()) {
    rows.add("The log level is changed",
             "from " + status.log_level->at_start + " to " + status.log_level->now + " " + status.log_level->changed);
  }
  if (status.is_dry_run) rows.add("Dry run", "writes are not stored");
}

}  // namespace

bool is_stale(const cache::InformerStatus& informer) { return informer.age > kStale; }

std::string object_link(std::string_view resource, std::string_view key) {
  const auto slash = key.find('/');
  const bool has_namespace = slash != std::string_view::npos;
  std::string link(controller::kDebugObjectsPath);
  return link + "?" +
         base::encode_query({{"kind", std::string(resource)},
                             {"namespace", std::string(has_namespace ? key.substr(0, slash) : "")},
                             {"name", std::string(has_namespace ? key.substr(slash + 1) : key)}});
}

std::string object_list_link(std::string_view resource, std::string_view result) {
  std::string link(controller::kDebugObjectsPath);
  return link + "?" + base::encode_query({{"kind", std::string(resource)}, {"result", std::string(result)}});
}

std::vector<AttentionItem> attention_items(const Status& status) {
  AttentionRows rows;
  add_informers(rows, status);
  if (status.leader) add_leader(rows, *status.leader);
  for (const auto& controller : status.controllers) add_controller(rows, controller);
  for (const auto& kind : status.unhealthy) add_objects(rows, kind);
  add_certificates(rows, status);
  add_process(rows, status);
  return std::move(rows).take();
}

Section attention(const Status& status) {
  Table table{.columns = {{"What"}, {"Details"}}, .rows = {}, .when_empty = "Nothing needs attention."};
  for (auto& item : attention_items(status)) {
    table.rows.push_back({{std::move(item.what), item.tone, {}, std::move(item.link)},
                          {std::move(item.details), Tone::kPlain, {}, std::move(item.details_link)}});
  }
  return {.title = "Attention", .tables = {std::move(table)}};
}

}  // namespace keelson::zpages
