// The columns of Events and of HorizontalPodAutoscalers, which are computed from several fields.
#pragma once

#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

// For v1 and events.k8s.io/v1, whose fields have different names.
[[nodiscard]] Columns event_columns();
[[nodiscard]] Columns autoscaler_columns();

}  // namespace keelson::sandbox
