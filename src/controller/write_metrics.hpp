// The series that count writes which a controller did not send, and its conflicts with other writers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "keelson/metrics/registry.hpp"

namespace keelson::controller {

// The registry must outlive it. A series begins with its first value, because a standby writes nothing.
class WriteMetrics {
 public:
  // `contested` returns the number of contested children, for each scrape. /statusz shows it, too, so it is also stored
  // when a conflict begins, continues or ends: there may be no scrapes.
  WriteMetrics(metrics::Registry& registry, std::string controller, std::function<std::size_t()> contested);
  WriteMetrics(const WriteMetrics&) = delete;
  WriteMetrics& operator=(const WriteMetrics&) = delete;

  // A child or a status has its desired state.
  void unchanged();
  // An update is held back, because another writer changes the field back.
  void held_back();
  // An update is sent that corrects the same field of a child again.
  void corrected();
  // A conflict was detected.
  void conflict();
  // A child is not contested any more.
  void conflict_ended();

 private:
  void refresh();

  std::string controller_;
  metrics::CounterFamily& avoided_;
  metrics::CounterFamily& conflicts_;
  metrics::CounterFamily& corrections_;
  metrics::GaugeFamily& contested_;
  std::function<std::size_t()> count_contested_;
  metrics::Counter* unchanged_ = nullptr;    // counted in every pass, so looked up once
  metrics::Gauge* contested_now_ = nullptr;  // from the first conflict on
  metrics::ScrapeHook hook_;                 // the last member: it ends first
};

}  // namespace keelson::controller
