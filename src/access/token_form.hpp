// The classification of a bearer token by its form alone, before the API server reviews it.
#pragma once

#include <chrono>
#include <string_view>

#include "keelson/async/clock.hpp"

namespace keelson::access {

// How far the local clock may be ahead of the API server's, which itself accepts a token for a minute after its expiry.
inline constexpr std::chrono::minutes kTokenClockSkew{5};

enum class TokenForm {
  kOpaque,      // not a JWT: a static token, a bootstrap token, one for a webhook, or random text
  kJwt,         // three parts in base64url, the first two of them JSON objects; the API server verifies its signature
  kExpiredJwt,  // its `exp` is further in the past than the allowed clock skew: no API server accepts it
};

[[nodiscard]] TokenForm form_of(std::string_view token, async::WallTime now);

}  // namespace keelson::access
