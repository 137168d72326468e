// The fields of an object, and those that a write changes.
#pragma once

#include "src/sandbox/fields/field_set.hpp"

namespace keelson::sandbox {

// The leaves: scalars, atomic lists and maps, empty maps, entries of sets, and entries of keyed lists themselves.
// Fields without an owner are left out: apiVersion, kind, and the fields that the server writes into metadata.
[[nodiscard]] FieldSet fields_of(const Tree& object, const ListRules& rules);

// The change from one state of an object to the next. Its cost depends on the parts that the two states do not share.
struct FieldChanges {
  FieldSet written;  // new fields, and fields with another value
  FieldSet gone;
};
[[nodiscard]] FieldChanges changes_between(const Tree& before, const Tree& after, const ListRules& rules);

}  // namespace keelson::sandbox
