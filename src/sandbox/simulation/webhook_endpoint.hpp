// The webhook server of a simulated manager: the API server calls it without a network.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/controller/controller.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/net/server_budget.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/sandbox/webhook_call.hpp"
#include "keelson/testing/test_loop.hpp"
#include "keelson/webhook/handler.hpp"

namespace keelson::sandbox {

class WebhookEndpoint {
 public:
  // The context must outlive the endpoint.
  WebhookEndpoint(controller::Context& context, const std::vector<controller::Definition>& definitions);
  WebhookEndpoint(const WebhookEndpoint&) = delete;
  WebhookEndpoint& operator=(const WebhookEndpoint&) = delete;

  // The endpoint must outlive the call.
  [[nodiscard]] boost::asio::awaitable<Result<net::Response>> answer(WebhookCall call);

 private:
  net::ServerBudget budget_;
  std::unique_ptr<webhook::Handler> handler_;
};

// Creates the configurations that `generate webhook` writes, with the address of the simulated manager in place of its
// Service.
void register_webhooks(testing::TestLoop& loop, ApiServer& server,
                       const std::vector<controller::Definition>& definitions);

// The error of a call while no manager runs.
[[nodiscard]] Error no_webhook_server();

// The same options; `transport` calls the webhooks unless the options have a transport of their own.
[[nodiscard]] ServerOptions with_webhooks(ServerOptions options, WebhookTransport transport);

}  // namespace keelson::sandbox
