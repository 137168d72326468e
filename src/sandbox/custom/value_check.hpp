// Holds a custom object against its schema: the words of kube-openapi's validation, as the API server reports them.
//
// On an update, a part that is invalid and did not change is not reported (CRDValidationRatcheting).
#pragma once

#include <vector>

#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/refusal.hpp"

namespace keelson::sandbox {

// What the checks of one write may cost together, in values and characters looked at: it is some 0.1 s.
inline constexpr std::size_t kValueCheckSteps = 3'000'000;

struct CheckedValue {
  const ValueSchema& schema;
  const Tree& value;
  const Tree* before = nullptr;  // null: there was none
  std::string field;             // where it is in the object: empty, or "status"
};

void check_value(const CheckedValue& checked, std::vector<FieldError>& errors);

// `Unsupported value: …`, `Invalid value: "x"`: the value as field.Error prints it.
[[nodiscard]] std::string printed_value(const Tree& value);

// A whole number within int64, as unstructured objects have it; other numbers are floats.
[[nodiscard]] bool is_whole(const Tree& number);

}  // namespace keelson::sandbox
