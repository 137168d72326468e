// Validates changes of a pod, through the pod itself and through its subresources.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/kinds/subresource.hpp"
#include "src/sandbox/requests/rejection.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Adds an error for each change that the subresource (kNone: the pod itself) does not allow.
void check_pod_update(const Tree& before, const Tree& after, Subresource subresource, std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
