// The series that count writes which a controller did not send, and its conflicts with other writers.
#pragma once

#include <cstddef>
#include <string>

#include "keelson/metrics/registry.hpp"

namespace keelson::controller {

// The registry must outlive it. A series begins with its first value, because a standby writes nothing.
class WriteMetrics {
 public:
  WriteMetrics(metrics::Registry& registry, std::string controller);

  // A child or a status has its desired state.
  void unchanged();
  // An update is held back, because another writer changes the field back.
  void held_back();
  // The number of contested children has changed.
  void conflicts(std::size_t contested);
  // A conflict was detected.
  void conflict();

 private:
  std::string controller_;
  metrics::CounterFamily& avoided_;
  metrics::CounterFamily& conflicts_;
  metrics::GaugeFamily& contested_;
  metrics::Counter* unchanged_ = nullptr;  // counted in every pass, so looked up once
};

}  // namespace keelson::controller
