// The reason phrases of status codes, as in Go's net/http.
#pragma once

#include <string_view>

namespace keelson::net {

// Empty for unknown codes.
[[nodiscard]] std::string_view reason_phrase(int status);

}  // namespace keelson::net
