// Kubernetes' qualified names, "name" or "prefix/name": the format of label keys and reporting controllers.
#pragma once

#include <string_view>

namespace keelson::controller {

[[nodiscard]] bool is_qualified_name(std::string_view text);

}  // namespace keelson::controller
