// The columns of Pods: what their containers say, in the one word that users look for.
#pragma once

#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

[[nodiscard]] Columns pod_columns();

}  // namespace keelson::sandbox
