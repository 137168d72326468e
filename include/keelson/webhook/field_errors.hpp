// Errors of a field with the texts of Kubernetes (field.Invalid, field.Required, …), for Decision::judge.
//
// Example (test/examples/webhook.cpp#field_errors):
//   webhook::Decision check_schedule(const std::string& schedule) {
//     std::vector<kube::FieldError> errors;
//     // spec.schedule: Invalid value: "": Empty spec string
//     if (schedule.empty()) errors.push_back(webhook::invalid_value("spec.schedule", schedule, "Empty spec string"));
//     return webhook::Decision::judge(std::move(errors));
//   }
//
// `path` is the JSON path, "spec.ports[0].name". Long values are shortened in the text. `why` is a phrase without a
// period at its end.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/schema/describe.hpp"

namespace keelson::webhook {

[[nodiscard]] kube::FieldError invalid_value(std::string_view path, std::string_view value, std::string_view why);
[[nodiscard]] kube::FieldError invalid_number(std::string_view path, std::int64_t value, std::string_view why);
// "metadata.name: Required value: name or generateName is required"; `why` may be empty.
[[nodiscard]] kube::FieldError required_value(std::string_view path, std::string_view why = {});
// "spec.color: Forbidden: …": the field must not be set or changed.
[[nodiscard]] kube::FieldError forbidden_value(std::string_view path, std::string_view why);
// "spec.ports[1].name: Duplicate value: \"http\"": an entry of a list has the key of an earlier one.
[[nodiscard]] kube::FieldError duplicate_value(std::string_view path, std::string_view value);
// "spec.color: Unsupported value: \"red\": supported values: \"blue\", \"green\"".
[[nodiscard]] kube::FieldError unsupported_value(std::string_view path, std::string_view value,
                                                 const std::vector<std::string_view>& supported);

}  // namespace keelson::webhook
