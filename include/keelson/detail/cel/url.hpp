// URLs, as Go's net/url parses them: the function url() of CEL, and the URLs of webhooks.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::cel {

// The views refer to the text that was parsed.
struct Url {
  std::string scheme;     // in lower case
  std::string_view user;  // "user:password"
  std::string host;       // with the port and the brackets of an IPv6 address
  std::string_view path;
  std::string_view query;
  std::string_view fragment;
};

// Errors are kInvalid with Go's text: parse "x": invalid URI for request.
//
// url.Parse: any URL, also a relative one.
[[nodiscard]] Result<Url> parse_url(std::string_view text);
// url.ParseRequestURI: an absolute URL or an absolute path, without a fragment.
[[nodiscard]] Result<Url> parse_request_url(std::string_view text);

}  // namespace keelson::cel
