#include "keelson/api/core/v1/event_source.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::core::v1 {

constexpr kube::StructTable::Field kEventSourceFields[] = {
    KEELSON_TABLE_FIELD(EventSource, component, "component", kOptional),
    KEELSON_TABLE_FIELD(EventSource, host, "host", kOptional),
};
constinit const kube::StructTable EventSource::kFields(kEventSourceFields);

}  // namespace keelson::core::v1
