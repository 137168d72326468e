// Bodies in application/vnd.kubernetes.protobuf, which Go clients send for built-in kinds since Kubernetes 1.36, as
// JSON.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::sandbox {

// kInvalid for a kind or a field that is not known: what a client has written is never left out silently. kMalformed
// for what is no protobuf.
[[nodiscard]] Result<std::string> json_of_protobuf(std::string_view body);

}  // namespace keelson::sandbox
