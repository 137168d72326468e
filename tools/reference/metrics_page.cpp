#include "tools/reference/metrics_page.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "src/reference/markdown.hpp"

namespace keelson::reference {

namespace {

struct Chapter {
  std::string_view title;
  std::vector<std::string_view> prefixes;
  std::string_view note;  // empty: none
};

// A series belongs to the chapter with the longest prefix of its name.
const std::vector<Chapter>& chapters() {
  static const std::vector<Chapter> all{
      {"Reconciling", {"controller_runtime_"}, "`controller` is the lower-case kind. A standby has no such series."},
      {"Dry runs",
       {"keelson_dry_run_"},
       "With `--dry-run`. `result` is `changed`, `repeated` (the same difference as the last write of these fields), "
       "`unchanged` or `rejected`."},
      {"Work queues", {"workqueue_"}, "`name` and `controller` are both the lower-case kind."},
      {"Writes",
       {"keelson_write", "keelson_contested_", "keelson_corrections_"},
       "`controller` is the lower-case kind. `reason` is `unchanged` or `conflict`."},
      {"Caches and watches", {"keelson_cache_", "keelson_watch_"}, "`group` is empty for the core kinds."},
      {"Objects by condition",
       {"keelson_objects"},
       "The conditions that the operator sets. `status` is `True`, `False`, `Unknown`, or `Missing` if the object does "
       "not have the condition. Each replica counts all objects."},
      {"Requests to the API server",
       {"rest_client_", "keelson_rejected_"},
       "`code` is the HTTP status code, or `<error>` if there was no response; each attempt counts. `verb` and "
       "`resource` "
       "of a rejection are those of RBAC rules: `patch`, `deployments.apps`."},
      {"Load",
       {"keelson_concurrency_"},
       "`reason` is `throttled`, `unavailable` or `latency`: [operations.md](../operations.md#load)."},
      {"Pauses of controllers",
       {"keelson_kind_"},
       "`controller` is the lower-case kind: [operations.md](../operations.md#pause-a-controller)."},
      {"Leader election", {"leader_election_"}, "With `--leader-elect`. `name` is that of the Lease."},
      {"Webhooks and certificates",
       {"controller_runtime_webhook_", "controller_runtime_conversion_webhook_", "certwatcher_", "keelson_webhook_",
        "keelson_certificate_"},
       "`webhook` is the path that the API server calls. Series without labels are 0 when webhooks are off. `use` is "
       "`webhook`, `webhook-ca`, `metrics`, or `client` (of the kubeconfig)."},
      {"CronJob", {"cronjob_controller_"}, ""},
      {"Traces", {"keelson_trace_"}, "With an endpoint of an OpenTelemetry collector in the environment."},
      {"The event loop", {"keelson_loop_", "keelson_timers"}, ""},
      {"The process",
       {"process_", "keelson_build_info", "keelson_memory_"},
       "In your operator, `keelson_build_info` has its name instead: `website_operator_build_info`."},
  };
  return all;
}

const Chapter& chapter_of(const std::string& name) {
  const Chapter* best = nullptr;
  std::size_t length = 0;
  for (const Chapter& chapter : chapters()) {
    for (auto prefix : chapter.prefixes) {
      if (name.starts_with(prefix) && prefix.size() > length) {
        best = &chapter;
        length = prefix.size();
      }
    }
  }
  // A series with a new prefix needs a chapter above.
  KEELSON_ASSERT(best != nullptr);
  return *best;
}

std::string labels_of(const metrics::FamilyFacts& family) {
  std::string out;
  for (const auto& label : family.label_names) out += (out.empty() ? "" : ", ") + code(label);
  return out;
}

}  // namespace

std::string metrics_page(const std::vector<metrics::FamilyFacts>& families) {
  std::string page =
      "# Metrics\n\n"
      "The series of `/metrics` of a `manager` with all its controllers. A histogram `x` is the series `x_bucket` "
      "(with "
      "the label `le`), `x_sum` and `x_count`. Names without the prefix `keelson_` are those of every "
      "controller-runtime manager. A series with labels exists after the first event that it counts. "
      "[metrics.md](../metrics.md) describes scraping, a dashboard and alerts.\n";
  for (const Chapter& chapter : chapters()) {
    page += "\n## " + std::string(chapter.title) + "\n\n";
    if (!chapter.note.empty()) page += std::string(chapter.note) + "\n\n";
    page += table_head({"name", "type", "labels", "help"});
    for (const auto& family : families) {
      if (&chapter_of(family.name) != &chapter) continue;
      page += row({code(family.name), std::string(family.type), labels_of(family), prose(family.help)});
    }
  }
  return page;
}

}  // namespace keelson::reference
