// kubectl's annotation last-applied-configuration in server-side apply: objects of `kubectl apply` are migrated when
// kubectl applies them server-side, and the annotation remains up to date for clients of the old form.
#pragma once

#include <string_view>

#include "src/sandbox/fields/managed_fields.hpp"

namespace keelson::sandbox {

// The manager of kubectl's server-side applies.
inline constexpr std::string_view kKubectl = "kubectl";

// As apply(), for any manager. If it is kubectl, conflicts about fields that the live object still has as its
// annotation says are no conflicts.
[[nodiscard]] Applied apply_with_migration(const Tree& live, const Managers& managers, const Tree& configuration,
                                           const Manager& who, bool force, const MergeType& type);

// Writes the configuration into the annotation of `object`, if it has one. Too large ones are removed.
void update_last_applied(Tree& object, Tree configuration);

}  // namespace keelson::sandbox
