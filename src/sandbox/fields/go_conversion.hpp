// The errors of Kubernetes' conversion of unstructured objects for values of a wrong type. Strategic merge patches have
// these errors, because they are converted and not decoded.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/fields/schema.hpp"

namespace keelson::sandbox {

// nullopt if every value has the right type.
[[nodiscard]] std::optional<std::string> conversion_error(const Tree& value, const Schema& schema);

}  // namespace keelson::sandbox
