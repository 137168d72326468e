// A request as text: as it is sent, and as errors name it.
#pragma once

#include <optional>
#include <string>

#include "keelson/detail/net/http_client.hpp"

namespace keelson::net {

// The start line and headers with Host and Content-Length. Fails with kInvalid on text that would break a line. A
// `forwarder` is a proxy that forwards the request: it gets the whole URL, and its user and password.
[[nodiscard]] Result<std::string> request_head(const Request& request, const Origin& origin,
                                               const std::optional<Proxy>& forwarder);

// `Get "https://10.0.0.1:6443/api"`, as Go's net/http names a request that failed.
[[nodiscard]] std::string describe(const Request& request, const Origin& origin);

// Host not empty and fit for a Host header, port a number.
[[nodiscard]] bool is_valid_origin(const Origin& origin);

}  // namespace keelson::net
