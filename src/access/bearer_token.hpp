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

// As Kubernetes reads it: "Bearer TOKEN", the first word in any case, what follows the token is left out. A token with
// characters that no token has is none.
[[nodiscard]] BearerToken bearer_token(const net::Headers& headers);

}  // namespace keelson::access
