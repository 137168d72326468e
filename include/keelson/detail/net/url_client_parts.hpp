// What the client of requests by URL (url_client.hpp) is made of: its connections, proxies and rules.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/net/proxy.hpp"
#include "keelson/net/url_client.hpp"

namespace keelson::net {

// Makes the client of one origin: make_http_client(), or the fake of a test.
using MakeHttpClient = std::function<Result<std::unique_ptr<HttpClient>>(ClientOptions)>;

struct UrlClientParts {
  MakeHttpClient make = {};     // must not be empty
  std::string user_agent = {};  // empty: no header
  // The proxy of an origin, as proxy_from_environment() chooses it; empty: none.
  std::function<Result<std::optional<Proxy>>(const Origin&)> proxy_of = {};
  // Called before bytes of a request other than GET and HEAD are sent; false: kFenced. Empty: always true.
  std::function<bool()> may_send = {};
  // Not empty: requests other than GET and HEAD are not sent, and fail with this text as a kTerminal error.
  std::string refuses_writes = {};
};

}  // namespace keelson::net
