#include "src/controller/write_metrics.hpp"

#include <utility>

namespace keelson::controller {

WriteMetrics::WriteMetrics(metrics::Registry& registry, std::string controller, std::function<std::size_t()> contested)
    : controller_(std::move(controller)),
      avoided_(registry.counter("keelson_writes_avoided_total",
                                "Number of writes that were not sent: the object has the desired state (unchanged), or "
                                "another writer changes it back (conflict).",
                                {"controller", "reason"})),
      conflicts_(registry.counter("keelson_write_conflicts_total",
                                  "Number of conflicts: another writer changed a field of a child back repeatedly.",
                                  {"controller"})),
      corrections_(registry.counter("keelson_corrections_total",
                                    "Number of updates of children that corrected the same field again within 10 "
                                    "minutes, because another writer had changed it.",
                                    {"controller"})),
      contested_(registry.gauge("keelson_contested_children",
                                "Number of children that another writer changes back, so that updates are delayed.",
                                {"controller"})),
      count_contested_(std::move(contested)),
      hook_(registry.on_scrape([this] { refresh(); })) {}

void WriteMetrics::unchanged() {
  if (unchanged_ == nullptr) unchanged_ = &avoided_.with({controller_, "unchanged"});
  unchanged_->increment();
}

void WriteMetrics::held_back() {
  avoided_.with({controller_, "conflict"}).increment();
  refresh();
}

void WriteMetrics::corrected() { corrections_.with({controller_}).increment(); }

void WriteMetrics::conflict() {
  conflicts_.with({controller_}).increment();
  contested_now_ = &contested_.with({controller_});
  refresh();
}

void WriteMetrics::conflict_ended() { refresh(); }

void WriteMetrics::refresh() {
  if (contested_now_ != nullptr) contested_now_->set(static_cast<double>(count_contested_()));
}

}  // namespace keelson::controller
