// The kinds of Kubernetes that are served without a CRD, in the order of the real server's discovery.
#pragma once

#include <vector>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

[[nodiscard]] std::vector<ServedKind> built_in_kinds();

}  // namespace keelson::sandbox
