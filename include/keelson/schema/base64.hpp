// Base64 as Go's base64.StdEncoding: the encoding of bytes in Kubernetes' JSON and in kubeconfig files.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::kube {

// With padding and without line breaks.
[[nodiscard]] std::string base64_encode(std::string_view bytes);
// Needs padding and skips line breaks. Errors name the offset of the wrong byte, never the text: it may be a secret.
[[nodiscard]] Result<std::string> base64_decode(std::string_view text);

}  // namespace keelson::kube
