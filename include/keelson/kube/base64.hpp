// Base64 as Go's StdEncoding: padded, line breaks are skipped, errors name the byte.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::kube {

[[nodiscard]] std::string base64_encode(std::string_view bytes);
[[nodiscard]] Result<std::string> base64_decode(std::string_view text);

}  // namespace keelson::kube
