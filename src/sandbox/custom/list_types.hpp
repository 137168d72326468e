// x-kubernetes-list-type set and map: checks that entries are unique.
#pragma once

#include <vector>

#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

void check_list_types(const Tree& object, const ValueSchema& schema, std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
