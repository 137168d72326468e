// Validates the object of a server-side apply against its schema, with the messages of structured-merge-diff.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/fields/merge_type.hpp"

namespace keelson::sandbox {

// `.spec.foo: field not declared in schema`; several errors are a list. nullopt if the object is valid.
[[nodiscard]] std::optional<std::string> apply_error(const Tree& applied, const MergeType& type);

}  // namespace keelson::sandbox
