// Refusals of one field in Kubernetes' words (field.Invalid, field.Required, …), for Decision::judge.
//
//   errors.push_back(webhook::invalid_value("spec.schedule", schedule, "Empty spec string"));
//   // spec.schedule: Invalid value: "": Empty spec string
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/describe.hpp"

namespace keelson::webhook {

[[nodiscard]] kube::FieldError invalid_value(std::string_view path, std::string_view value, std::string_view why);
[[nodiscard]] kube::FieldError invalid_number(std::string_view path, std::int64_t value, std::string_view why);
// "metadata.name: Required value: name or generateName is required"; `why` may be empty.
[[nodiscard]] kube::FieldError required_value(std::string_view path, std::string_view why = {});
[[nodiscard]] kube::FieldError forbidden_value(std::string_view path, std::string_view why);
[[nodiscard]] kube::FieldError duplicate_value(std::string_view path, std::string_view value);
[[nodiscard]] kube::FieldError unsupported_value(std::string_view path, std::string_view value,
                                                 const std::vector<std::string_view>& supported);

}  // namespace keelson::webhook
