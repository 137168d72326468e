// The columns of Pods: the STATUS of kubectl summarizes the states of the containers.
#pragma once

#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

[[nodiscard]] Columns pod_columns();

}  // namespace keelson::sandbox
