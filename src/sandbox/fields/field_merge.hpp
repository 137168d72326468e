// The merge of server-side apply: sets the applied fields, and removes those that are no longer applied.
#pragma once

#include <functional>

#include "src/sandbox/fields/field_set.hpp"

namespace keelson::sandbox {

// Merges `applied`, the applied object, into `live`; lists that the kind merges are merged by entry.
void merge_into(Tree& live, const Tree& applied, const ListRules& rules);

// Removes the fields, and maps and lists that become empty.
void take_away(Tree& object, const FieldSet& fields, const ListRules& rules);

// The fields of both sets that have different values in `live` and `applied`. An entry of a keyed list has no value of
// its own, so two managers that apply it do not conflict. `on_each` is called for each field, and may return false to
// end the search.
[[nodiscard]] FieldSet disagreements(const FieldSet& one, const FieldSet& other, const Tree& live, const Tree& applied,
                                     const ListRules& rules, const std::function<bool(const FieldPath&)>& on_each);

// The fields of `owned` that are neither applied now nor owned by other managers, wholly or in part. A key is only
// removed with its entry.
[[nodiscard]] FieldSet abandoned(const FieldSet& owned, const FieldSet& applied,
                                 const std::vector<const FieldSet*>& others);

}  // namespace keelson::sandbox
