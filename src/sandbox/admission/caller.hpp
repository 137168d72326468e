// Calls webhooks over HTTPS: clients with their kept connections, Services resolved to an endpoint, limits.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "keelson/net/http_client.hpp"
#include "keelson/sandbox/webhook_call.hpp"
#include "src/sandbox/admission/webhooks.hpp"

namespace keelson::sandbox {

class WebhookCaller {
 public:
  // Without a transport: over HTTPS.
  WebhookCaller(World& world, WebhookTransport transport);
  WebhookCaller(const WebhookCaller&) = delete;
  WebhookCaller& operator=(const WebhookCaller&) = delete;

  // The body of the answer as JSON; an error as `failed to call webhook: ` goes on. Parameters by value: the world
  // changes meanwhile. The body is made when the call is sure to be sent: of thousands of webhooks only some are.
  [[nodiscard]] boost::asio::awaitable<Result<Tree>> post(WebhookAddress address, std::function<std::string()> body,
                                                          std::chrono::seconds timeout);

 private:
  [[nodiscard]] Result<WebhookCall> call_to(const WebhookAddress& address, std::chrono::seconds timeout) const;
  [[nodiscard]] Result<std::string> endpoint_of(const WebhookAddress& address) const;
  [[nodiscard]] boost::asio::awaitable<Result<net::Response>> send(WebhookCall call);
  [[nodiscard]] Result<std::shared_ptr<net::HttpClient>> client_of(const boost::asio::any_io_executor& executor,
                                                                   const WebhookCall& call);

  World& world_;
  WebhookTransport transport_;
  std::map<std::string, std::shared_ptr<net::HttpClient>> clients_;
  std::size_t in_flight_ = 0;
};

}  // namespace keelson::sandbox
