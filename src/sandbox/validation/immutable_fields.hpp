// Comparison of the fields of an object that an update must not change.
#pragma once

#include <string>

#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

// As apimachinery's Semantic.DeepEqual: null, empty lists and empty maps are equal to absent ones at every level,
// because servers of different versions write them in different ways (`creationTimestamp: null`).
[[nodiscard]] bool is_same(const Tree& had, const Tree& has);

[[nodiscard]] FieldError immutable(std::string field, const Tree& value);

}  // namespace keelson::sandbox
