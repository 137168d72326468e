// Validates the object of a server-side apply against its schema, with the messages of structured-merge-diff.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/fields/schema.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// `.spec.foo: field not declared in schema`; nullopt if the object is valid.
[[nodiscard]] std::optional<std::string> apply_error(const Tree& applied, const Schema& schema, const ServedKind& kind);

}  // namespace keelson::sandbox
