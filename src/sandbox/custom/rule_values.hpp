// Converts objects and schemas into values and types for the rules of x-kubernetes-validations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/detail/cel/type.hpp"
#include "keelson/detail/cel/value.hpp"
#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

// A field name as a CEL identifier: "a-b" becomes "a__dash__b". nullopt for names that rules cannot use.
[[nodiscard]] std::optional<std::string> escaped_name(const std::string& name);

// Subtracts the size of the value from `steps`.
[[nodiscard]] cel::Value rule_value(const Tree& value, const ValueSchema* schema, bool is_resource, std::size_t& steps);

// Null for values that rules cannot use. The type has the sizes that the API server assumes for such values.
[[nodiscard]] cel::TypePointer rule_type(const ValueSchema& schema, bool is_resource);

// How often a value of the type may occur in a request.
[[nodiscard]] std::uint64_t most_repetitions(const cel::Type& type);

}  // namespace keelson::sandbox
