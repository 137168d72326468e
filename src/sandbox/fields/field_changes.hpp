// The fields of an object, and those that a write changes.
#pragma once

#include "src/sandbox/fields/field_set.hpp"

namespace keelson::sandbox {

// The fields that an applied object names: scalars, values that are merged as a whole, empty maps, nulls, entries of
// lists, and members of maps. An entry that occurs several times in a list has no fields of its own.
[[nodiscard]] FieldSet fields_of(const Tree& object, const MergeType& type);

// The change from one state of an object to the next. Its cost depends on the parts that the two states do not share.
struct FieldChanges {
  FieldSet written;  // new fields, also those above others, and fields with another value
  FieldSet gone;
};
// A field that Go always has, such as a struct, is neither new nor gone as long as the object around it exists.
[[nodiscard]] FieldChanges changes_between(const Tree& before, const Tree& after, const MergeType& type);

// Without the fields that have no owner: apiVersion, kind, and the metadata that the server writes.
[[nodiscard]] FieldSet without_server_fields(FieldSet fields);

}  // namespace keelson::sandbox
