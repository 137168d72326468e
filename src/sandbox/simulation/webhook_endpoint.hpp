// The webhook server of a simulated manager: the API server calls it without a network.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/net/server_budget.hpp"
#include "keelson/detail/sandbox/api_server.hpp"

namespace keelson::sandbox {

class WebhookEndpoint {
 public:
  // The context must outlive the endpoint.
  WebhookEndpoint(boost::asio::any_io_executor executor, controller::Context& context,
                  const std::vector<webhook::Webhook>& webhooks);
  WebhookEndpoint(const WebhookEndpoint&) = delete;
  WebhookEndpoint& operator=(const WebhookEndpoint&) = delete;

  // A call may outlive the endpoint: it fails when the review is aborted.
  [[nodiscard]] Task<net::Response> answer(WebhookCall call);
  // Waits until no review is left; can be canceled.
  [[nodiscard]] boost::asio::awaitable<void> drain() { return reviews_.drain(); }
  // Cancels all reviews; a review that begins later fails at once. join() before the endpoint is destroyed.
  void abort() { reviews_.stop(); }
  [[nodiscard]] boost::asio::awaitable<void> join() { return reviews_.join(); }

 private:
  struct Review;
  [[nodiscard]] boost::asio::awaitable<void> run(std::shared_ptr<Review> review, net::Request request,
                                                 std::shared_ptr<void> on_end);

  net::ServerBudget budget_;
  net::Handler handler_;
  async::TaskGroup reviews_;
};

// Creates the configurations that `generate webhook` writes, with the address of the simulated manager in place of its
// Service.
void register_webhooks(ApiServer& server, const std::vector<webhook::Webhook>& webhooks);

// Makes `transport` call the webhooks of the simulated manager, unless the options have a transport. A call of another
// address fails: it does not exist in the simulation.
[[nodiscard]] ApiServerOptions with_webhooks(ApiServerOptions options, WebhookTransport transport);

// The error of a call while no manager runs.
[[nodiscard]] Error connection_refused();

}  // namespace keelson::sandbox
