// The columns of a custom kind: its additionalPrinterColumns, or its age.
#pragma once

#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

[[nodiscard]] Columns custom_columns(const Tree& printer_columns);

}  // namespace keelson::sandbox
