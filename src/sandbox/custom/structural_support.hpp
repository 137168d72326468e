// Keywords that no structural schema can have. The API server stops at the first one, before it checks the structure.
#pragma once

#include <string>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// "OpenAPIV3Schema '$ref' is not supported"; empty if the schema has none.
[[nodiscard]] std::string unsupported_keyword(const Tree& schema);

}  // namespace keelson::sandbox
