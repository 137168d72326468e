// Converts bodies in application/vnd.kubernetes.protobuf to JSON. Go clients send them for built-in kinds since
// Kubernetes 1.36.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::sandbox {

// kInvalid for an unknown kind or field, because data of the client must never be dropped silently. kMalformed for a
// body that is not protobuf.
[[nodiscard]] Result<std::string> json_of_protobuf(std::string_view body);

}  // namespace keelson::sandbox
