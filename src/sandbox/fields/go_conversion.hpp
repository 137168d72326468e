// What Kubernetes' conversion of unstructured objects says of a value of a wrong type: the words of strategic merge
// patches, which are converted and not decoded.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/fields/schema.hpp"

namespace keelson::sandbox {

// Nothing when every value fits.
[[nodiscard]] std::optional<std::string> conversion_error(const Tree& value, const Schema& schema);

}  // namespace keelson::sandbox
