// Kubernetes' qualified names: "name" or "prefix/name", as label keys and reporting controllers have to be.
#pragma once

#include <string_view>

namespace keelson::controller {

[[nodiscard]] bool is_qualified_name(std::string_view text);

}  // namespace keelson::controller
