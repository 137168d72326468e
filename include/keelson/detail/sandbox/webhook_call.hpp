// A call of a webhook, and the transport that makes it: a test replaces the transport to answer without a network.
#pragma once

#include <functional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/net/http.hpp"

namespace keelson::sandbox {

// A POST of `body` to `url`.
struct WebhookCall {
  std::string url;            // with its query, as errors name it
  std::string address;        // host and port of the connection, if they differ from the URL's; empty: the URL's
  std::string server_name;    // the name that the certificate must be valid for; empty: the URL's host
  std::string ca_pem;         // the caBundle; empty: the system's authorities
  std::string body;           // an AdmissionReview or a ConversionReview, as JSON
  async::Duration timeout{};  // the transport enforces it, with an error of kind kTimeout
};

// Every HTTP status is a success here. The text of an error is that of client-go: `Post "https://…": dial tcp …`, or
// without `Post "https://…": `, which the server then adds. Cancellation unwinds the call.
using WebhookTransport = std::function<Task<net::Response>(WebhookCall)>;

}  // namespace keelson::sandbox
