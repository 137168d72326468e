// Event of events.k8s.io/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/core/v1/event_source.hpp"
#include "keelson/api/core/v1/object_reference.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::events::v1 {

// The type of Event.series.
struct EventSeries {
  std::int32_t count = 0;              // required
  kube::MicroTime last_observed_time;  // lastObservedTime, required

  static const kube::StructTable kFields;
  bool operator==(const EventSeries&) const = default;
};

// Event, namespaced. `kubectl explain event --recursive` shows what its fields mean.
struct Event {
  static constexpr kube::Identity kIdentity{"events.k8s.io", "v1", "Event", "events"};

  meta::v1::ObjectMeta metadata;
  kube::MicroTime event_time;  // eventTime, required
  kube::Box<EventSeries> series;
  std::string reporting_controller;  // reportingController
  std::string reporting_instance;    // reportingInstance
  std::string action;
  std::string reason;
  core::v1::ObjectReference regarding;
  kube::Box<core::v1::ObjectReference> related;
  std::string note;
  std::string type;
  core::v1::EventSource deprecated_source;               // deprecatedSource
  std::optional<kube::Time> deprecated_first_timestamp;  // deprecatedFirstTimestamp
  std::optional<kube::Time> deprecated_last_timestamp;   // deprecatedLastTimestamp
  std::int32_t deprecated_count = 0;                     // deprecatedCount

  static const kube::StructTable kFields;
  bool operator==(const Event&) const = default;
};

}  // namespace keelson::events::v1
