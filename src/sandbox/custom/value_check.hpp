// Validates a custom object against its schema, with the messages of kube-openapi's validation, as the API server
// reports them.
//
// On an update, an invalid part that did not change is not reported (CRDValidationRatcheting).
#pragma once

#include <vector>

#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

// The limit for the checks of one write, in values and characters: about 0.1 s.
inline constexpr std::size_t kValueCheckSteps = 3'000'000;

struct CheckedValue {
  const ValueSchema& schema;
  const Tree& value;
  const Tree* before = nullptr;  // null: a creation
  std::string field;             // the path in the object: empty, or "status"
};

void check_value(const CheckedValue& checked, std::vector<FieldError>& errors);

// `Unsupported value: …`, `Invalid value: "x"`: the value as field.Error prints it.
[[nodiscard]] std::string printed_value(const Tree& value);

// A whole number within int64, as in unstructured objects; all other numbers are floats.
[[nodiscard]] bool is_whole(const Tree& number);

}  // namespace keelson::sandbox
