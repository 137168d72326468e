// The defaults of a custom kind's schema, which the server sets when an object is written.
#pragma once

#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

// What happens to nulls that the schema does not allow and that have no default. A server-side apply keeps them, and
// the validation rejects them.
enum class Nulls { kDropped, kKept };

// Sets fields that are absent or null and have a default. A default of the whole status is left out, because the
// committer sets it later. Returns false if the defaults exceed limits::kObjectBytes.
[[nodiscard]] bool apply_custom_defaults(Tree& object, const ValueSchema& schema, Nulls nulls);

// The default, including the defaults within it; null if they exceed limits::kObjectBytes.
[[nodiscard]] Tree complete_default(const ValueSchema& schema);

}  // namespace keelson::sandbox
