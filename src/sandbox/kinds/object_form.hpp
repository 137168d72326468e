// The form in which the API server stores and returns objects: that of Go's types, with their defaults.
//
// A built-in object passes through its type as in Go: it is decoded, defaulted and encoded. Empty values of optional
// fields vanish, required fields appear, and times, quantities and bytes get their canonical text. The metadata of a
// custom object passes through ObjectMeta; the rest stays as it is.
#pragma once

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// Changes the object in place. The members that it shares with `before`, an object in this form, are not visited again;
// null: there is none. An absent status is not added.
void pass_through_type(const ServedKind& kind, Tree& object, const Tree* before = nullptr);

// With the empty lists and objects that the object had when it was sent: Go has them until the object is stored, so
// they are in errors.
[[nodiscard]] Tree with_empty_parts(Tree object, const Tree& sent);

// Adds the status that the kind has in each stored object, with its required fields.
void add_status(const ServedKind& kind, Tree& object);

// The object that has no values yet: empty for a custom kind. The creator of an object does not own what it has.
[[nodiscard]] Tree zero_object(const ServedKind& kind);

}  // namespace keelson::sandbox
