// Objects and schemas as the rules of x-kubernetes-validations see them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/cel/type.hpp"
#include "keelson/cel/value.hpp"
#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

// A field's name as an identifier: "a-b" to "a__dash__b". Nothing for names that rules cannot use.
[[nodiscard]] std::optional<std::string> escaped_name(const std::string& name);

// Takes the size of the value from `steps`.
[[nodiscard]] cel::Value rule_value(const Tree& value, const ValueSchema* schema, bool is_resource, std::size_t& steps);

// Null for values that rules cannot see.
[[nodiscard]] cel::TypePointer rule_type(const ValueSchema& schema, bool is_resource);

}  // namespace keelson::sandbox
