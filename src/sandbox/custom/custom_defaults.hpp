// The defaults of a custom kind's schema, filled in when an object is written.
#pragma once

#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

// Sets what is absent or null and has a default, and drops other nulls where the schema allows none. A default of the
// status as a whole is left out: the committer sets it later. False when the defaults come to more than
// limits::kObjectBytes.
[[nodiscard]] bool apply_custom_defaults(Tree& object, const ValueSchema& schema);

// The default with the defaults within it; null when they come to more than limits::kObjectBytes.
[[nodiscard]] Tree complete_default(const ValueSchema& schema);

}  // namespace keelson::sandbox
