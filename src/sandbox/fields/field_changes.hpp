// Which fields an object has, and what a write changes of them.
#pragma once

#include "src/sandbox/fields/field_set.hpp"

namespace keelson::sandbox {

// The leaves: scalars, atomic lists and maps, empty maps, entries of sets, and entries of keyed lists themselves.
// Without what nobody owns: apiVersion, kind, and what the server writes into metadata.
[[nodiscard]] FieldSet fields_of(const Tree& object, const ListRules& rules);

// From one state of an object to the next. Costs as much as there is that the two do not share.
struct FieldChanges {
  FieldSet written;  // new or of another value
  FieldSet gone;
};
[[nodiscard]] FieldChanges changes_between(const Tree& before, const Tree& after, const ListRules& rules);

}  // namespace keelson::sandbox
