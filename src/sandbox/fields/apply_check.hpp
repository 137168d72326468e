// What server-side apply says of an object that its schema has no room for: the words of structured-merge-diff.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/fields/schema.hpp"
#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

// `.spec.foo: field not declared in schema`; nothing when it fits.
[[nodiscard]] std::optional<std::string> apply_error(const Tree& wish, const Schema& schema, const ServedKind& kind);

}  // namespace keelson::sandbox
