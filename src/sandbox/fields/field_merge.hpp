// What an apply does to an object: merges the fields that are wished, and takes away those that are wished no more.
#pragma once

#include <functional>

#include "src/sandbox/fields/field_set.hpp"

namespace keelson::sandbox {

// `wish` into `live`, entry by entry where the lists of the kind are merged so.
void merge_into(Tree& live, const Tree& wish, const ListRules& rules);

// Takes away the fields, and maps and lists that become empty by it.
void take_away(Tree& object, const FieldSet& fields, const ListRules& rules);

// The fields of both sets that have another value in `live` than in `wish`. An entry of a keyed list exists or not: two
// who want it do not disagree. `on_each` hears of each, and may return false to end the search.
[[nodiscard]] FieldSet disagreements(const FieldSet& one, const FieldSet& other, const Tree& live, const Tree& wish,
                                     const ListRules& rules, const std::function<bool(const FieldPath&)>& on_each);

// What of `owned` is neither wished nor owned by others, as a whole or in parts. A key goes with its entry or not at
// all.
[[nodiscard]] FieldSet abandoned(const FieldSet& owned, const FieldSet& wished,
                                 const std::vector<const FieldSet*>& others);

}  // namespace keelson::sandbox
