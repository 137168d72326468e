// Defaults of the built-in kinds: those that controllers observe when they read their objects again.
#pragma once

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

void set_defaults(const ServedKind& kind, Tree& object);

}  // namespace keelson::sandbox
