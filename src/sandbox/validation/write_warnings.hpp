// The warnings of the API server about the content of accepted objects.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// About what an update adds, if there is an object before. Each warning once.
[[nodiscard]] std::vector<std::string> write_warnings(const ServedKind& kind, const Tree* before, const Tree& after);

}  // namespace keelson::sandbox
