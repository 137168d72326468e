// One call of a webhook, and who makes it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/net/http.hpp"

namespace keelson::sandbox {

struct WebhookCall {
  std::string url;          // with its query, as errors name it
  std::string address;      // host and port to connect to in the place of the URL's; empty: the URL's
  std::string server_name;  // what the certificate must be valid for; empty: the URL's host
  std::string ca_pem;       // empty: the system's authorities
  std::string body;
  async::Duration timeout{};
};

// Any status is a success here. An error is what client-go would say: `Post "https://…": dial tcp …`.
using WebhookTransport = std::function<boost::asio::awaitable<Result<net::Response>>(WebhookCall)>;

}  // namespace keelson::sandbox
