// The token in a header of a request, usually Authorization.
#pragma once

#include <string>
#include <string_view>

#include "keelson/net/http.hpp"

namespace keelson::access {

struct BearerToken {
  enum class Found { kNone, kTooLong, kToken };
  Found found = Found::kNone;
  std::string text;
};

// Parsed as in Kubernetes: "Bearer TOKEN", the first word in any case; text after the token is ignored. A token with
// characters that are not visible ASCII counts as none.
[[nodiscard]] BearerToken bearer_token(const net::Headers& headers, std::string_view name = "Authorization");

}  // namespace keelson::access
