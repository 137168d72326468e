// The origin of a URL from its scheme and its authority, and the reverse.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/net/http_client.hpp"

namespace keelson::net {

// "https", "[fe80::1%25eth0]:8443". The port defaults to that of the scheme. The error's text is the reason alone:
// `invalid port "x"`. An authority with user information must be rejected before, because the error contains the host.
[[nodiscard]] Result<Origin> origin_of(std::string_view scheme, std::string_view authority);

// "example.com:8443"; without the port if it is that of the scheme.
[[nodiscard]] std::string authority_of(const Origin& origin);

}  // namespace keelson::net
