// Validates changes of a pod, through the pod itself and through its subresources.
#pragma once

#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/kinds/subresource.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Adds an error for each change that the subresource (kNone: the pod itself) does not allow.
void check_pod_update(const Tree& before, const Tree& after, Subresource subresource, FieldErrors& errors);

}  // namespace keelson::sandbox
