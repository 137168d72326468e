// Calls webhooks over HTTPS: clients with keep-alive connections, Services resolved to an endpoint, limits.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/sandbox/webhook_call.hpp"
#include "src/sandbox/admission/webhooks.hpp"

namespace keelson::limits {

// Concurrent calls of webhooks: kube-apiserver's limit of writes in flight.
inline constexpr std::size_t kSandboxWebhookCalls = 200;

// The bytes of a reply: a patch of the largest object, in base64.
inline constexpr std::size_t kSandboxWebhookReplyBytes = std::size_t{6} << 20;

}  // namespace keelson::limits

namespace keelson::sandbox {

class WebhookCaller {
 public:
  // Without a transport, calls use HTTPS.
  WebhookCaller(World& world, WebhookTransport transport);
  WebhookCaller(const WebhookCaller&) = delete;
  WebhookCaller& operator=(const WebhookCaller&) = delete;

  // Returns the body of the response as JSON, or an error that continues `failed to call webhook: `. Parameters are
  // values, because the world changes during the call. The body is created only when the call is certain to be sent,
  // because of thousands of webhooks only some calls are sent.
  [[nodiscard]] Task<Tree> post(WebhookAddress address, std::function<std::string()> body,
                                std::chrono::seconds timeout);

 private:
  [[nodiscard]] Result<WebhookCall> call_to(const WebhookAddress& address, std::chrono::seconds timeout) const;
  [[nodiscard]] Result<std::string> endpoint_of(const WebhookAddress& address) const;
  [[nodiscard]] Task<net::Response> send(WebhookCall call);
  [[nodiscard]] Result<std::shared_ptr<net::HttpClient>> client_of(const boost::asio::any_io_executor& executor,
                                                                   const WebhookCall& call);

  World& world_;
  WebhookTransport transport_;
  std::map<std::string, std::shared_ptr<net::HttpClient>> clients_;
  std::size_t in_flight_ = 0;
};

}  // namespace keelson::sandbox
