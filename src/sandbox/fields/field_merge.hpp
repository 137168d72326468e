// The merge of server-side apply: sets the applied fields, and removes those that are no longer applied.
#pragma once

#include <vector>

#include "src/sandbox/fields/field_set.hpp"

namespace keelson::sandbox {

// `live` with `applied` merged in. Lists that the type merges by entry get the order of the applied entries; entries
// that are not applied stay where they are among them.
[[nodiscard]] Tree merged(const Tree& live, const Tree& applied, const MergeType& type);

// The object without the fields of the set, whole with what is below them. A map or list that becomes empty is null.
[[nodiscard]] Tree without_fields(const Tree& object, const FieldSet& fields, const MergeType& type);

// `merged`, the object after an apply, without what its manager applied before (`last`), applies no longer, and no
// manager owns. `owned`: the fields of all managers, also the new ones of this manager.
[[nodiscard]] Tree without_abandoned(Tree merged, const FieldSet& last, const std::vector<const FieldSet*>& owned,
                                     const MergeType& type);

}  // namespace keelson::sandbox
