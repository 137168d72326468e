// URLs of HTTP requests, with their queries.
//
// Example (test/examples/net.cpp#parse_url):
//   Result<net::Request> health_request(std::string_view url) {
//     KEELSON_LET(const auto parsed, net::parse_url(url));  // "https://archive.example.com:8443/health?verbose=1"
//     net::Request request;
//     request.target = parsed.target;  // "/health?verbose=1"
//     return request;
//   }
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/net/http_client.hpp"

namespace keelson::net {

struct Url {
  Origin origin;
  std::string target;  // path and query as they were written, "/" if the URL has none
};

// Parses "https://[::1]:8443/path?a=b". The scheme is http or https and must be there; the port defaults to 443 or 80.
// A fragment is dropped, as in every HTTP client. Everything else must be percent-encoded already
// (base/percent_encoding.hpp).
//
// Errors are kInvalid; they contain the URL and what to correct. A URL with user information is rejected, and the error
// does not contain it, because it may be a password.
[[nodiscard]] Result<Url> parse_url(std::string_view url);

// "https://archive.example.com:8443", without a default port.
[[nodiscard]] std::string origin_text(const Origin& origin);

}  // namespace keelson::net
