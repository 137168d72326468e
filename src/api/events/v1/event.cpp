#include "keelson/api/events/v1/event.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::events::v1 {

constexpr kube::StructTable::Field kEventSeriesFields[] = {
    KEELSON_TABLE_FIELD(EventSeries, count, "count", kRequired),
    KEELSON_TABLE_FIELD(EventSeries, last_observed_time, "lastObservedTime", kRequired),
};
constinit const kube::StructTable EventSeries::kFields(kEventSeriesFields);

constexpr kube::StructTable::Field kEventFields[] = {
    KEELSON_TABLE_FIELD(Event, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Event, event_time, "eventTime", kRequired),
    KEELSON_TABLE_FIELD(Event, series, "series", kOptional),
    KEELSON_TABLE_FIELD(Event, reporting_controller, "reportingController", kOptional),
    KEELSON_TABLE_FIELD(Event, reporting_instance, "reportingInstance", kOptional),
    KEELSON_TABLE_FIELD(Event, action, "action", kOptional),
    KEELSON_TABLE_FIELD(Event, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(Event, regarding, "regarding", kOptional),
    KEELSON_TABLE_FIELD(Event, related, "related", kOptional),
    KEELSON_TABLE_FIELD(Event, note, "note", kOptional),
    KEELSON_TABLE_FIELD(Event, type, "type", kOptional),
    KEELSON_TABLE_FIELD(Event, deprecated_source, "deprecatedSource", kOptional),
    KEELSON_TABLE_FIELD(Event, deprecated_first_timestamp, "deprecatedFirstTimestamp", kOptional),
    KEELSON_TABLE_FIELD(Event, deprecated_last_timestamp, "deprecatedLastTimestamp", kOptional),
    KEELSON_TABLE_FIELD(Event, deprecated_count, "deprecatedCount", kOptional),
};
constinit const kube::StructTable Event::kFields(kEventFields);

}  // namespace keelson::events::v1
