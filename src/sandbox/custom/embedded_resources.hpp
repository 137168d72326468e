// x-kubernetes-embedded-resource: objects within an object, with their apiVersion and kind.
#pragma once

#include <vector>

#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

void check_embedded(const Tree& object, const ValueSchema& schema, std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
