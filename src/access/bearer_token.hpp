// The token in the Authorization header of a request.
#pragma once

#include <string>

#include "keelson/net/http.hpp"

namespace keelson::access {

struct BearerToken {
  enum class Found { kNone, kTooLong, kToken };
  Found found = Found::kNone;
  std::string text;
};

// Parsed as in Kubernetes: "Bearer TOKEN", the first word in any case; text after the token is ignored. A token with
// characters that are not visible ASCII counts as none.
[[nodiscard]] BearerToken bearer_token(const net::Headers& headers);

}  // namespace keelson::access
