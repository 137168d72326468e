// Suggests the field that an author probably meant by an unknown name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// `path` as the API server writes it: `spec.ports[0].tragetPort` or `.spec.ports[port=80,protocol="TCP"].tragetPort`.
// Nullopt if no known name is similar.
[[nodiscard]] std::optional<std::string> nearest_field(const ServedKind& kind, std::string_view path);

}  // namespace keelson::sandbox
