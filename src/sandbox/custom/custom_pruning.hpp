// Drops the fields that the schema of a custom kind does not declare, as the API server does when it decodes an object.
//
// The value decides, not the type in the schema: members of an object where the schema wants a list are unknown fields.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/fields/field_check.hpp"

namespace keelson::sandbox {

// The unknown fields of the metadata, of the rest, and of the metadata of embedded resources, each sorted.
[[nodiscard]] FieldFindings check_custom_fields(Tree& object, const ValueSchema& schema);

// Of the kind, the version or the metadata of a resource: "kind: Invalid value: 1: must be a string".
[[nodiscard]] std::optional<std::string> resource_error(Tree resource);

}  // namespace keelson::sandbox
