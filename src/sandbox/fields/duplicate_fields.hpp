// Finds the duplicate fields of a JSON text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

// `duplicate field "spec.replicas"`, in the order of the text, up to the limit of findings. Empty for text that is not
// JSON.
[[nodiscard]] std::vector<std::string> duplicate_fields(std::string_view json);

// These and the unknown fields (`unknown field "spec.foo"`), in the order of the text. An unknown field is only
// reported as unknown, even if it is duplicate.
[[nodiscard]] std::vector<std::string> strict_findings(std::string_view json, const std::vector<std::string>& unknown);

}  // namespace keelson::sandbox
