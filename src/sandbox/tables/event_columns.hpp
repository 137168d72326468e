// The columns of Events and of HorizontalPodAutoscalers, which are computed from most of their fields.
#pragma once

#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

// Of v1 and events.k8s.io/v1, whose fields have other names.
[[nodiscard]] Columns event_columns();
[[nodiscard]] Columns autoscaler_columns();

}  // namespace keelson::sandbox
