// The fields that a JSON text has more than once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

// `duplicate field "spec.replicas"`, in the order of the text; at most as many as there may be findings. Nothing of
// what is no JSON.
[[nodiscard]] std::vector<std::string> duplicate_fields(std::string_view json);

}  // namespace keelson::sandbox
