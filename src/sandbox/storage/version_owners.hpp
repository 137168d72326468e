// The owners of fields of a kind that is served in two versions: each manager owns fields of the version that it wrote.
#pragma once

#include "src/sandbox/fields/managed_fields.hpp"
#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// after_update() for stored objects, `before` and `after`. `before` is null for a new object.
[[nodiscard]] Managers owners_after_update(const World& world, const Call& call, const Tree* before, const Tree& after,
                                           Managers managers, const Manager& who);

// apply_with_migration() for a stored object, which is empty if it is new. The result is in the version of the call.
[[nodiscard]] Applied apply_in_version(const World& world, const Call& call, const Tree& live, Managers managers,
                                       const Tree& configuration, const Manager& who);

}  // namespace keelson::sandbox
