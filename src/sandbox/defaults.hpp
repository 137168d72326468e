// What the API server fills in: the defaults of the built-in kinds that controllers meet when they read back.
#pragma once

#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

void set_defaults(const ServedKind& kind, Tree& object);

}  // namespace keelson::sandbox
