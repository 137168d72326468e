// Base64 as Go's base64.StdEncoding, the encoding of bytes in Kubernetes' JSON and in kubeconfig files; and base64url,
// the encoding of the parts of a JWT.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::base {

// With padding and without line breaks.
[[nodiscard]] std::string base64_encode(std::string_view bytes);
// Needs padding and skips line breaks. Errors name the offset of the wrong byte, never the text: it may be a secret.
[[nodiscard]] Result<std::string> base64_decode(std::string_view text);

// Go's base64.RawURLEncoding: '-' and '_' instead of '+' and '/', and no padding.
[[nodiscard]] std::string base64url_encode(std::string_view bytes);
// Accepts neither padding nor line breaks, as RFC 7515 requires: nullopt.
[[nodiscard]] std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace keelson::base
