// The page of docs/reference about the findings of `manager doctor`, from their table.
#pragma once

#include <string>

namespace keelson::reference {

[[nodiscard]] std::string doctor_page();

}  // namespace keelson::reference
