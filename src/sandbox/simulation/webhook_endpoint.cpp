#include "src/sandbox/simulation/webhook_endpoint.hpp"

#include <optional>

#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/webhook/handler.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

namespace {

constexpr std::string_view kOrigin = "https://manager.simulated:9443";

Task<net::Response> unknown_host(WebhookCall call) {
  const auto from = call.url.find("://") + 3;
  const auto host = call.url.substr(from, call.url.find_first_of(":/?", from) - from);
  co_return transport_error("dial tcp: lookup " + host + ": no such host");
}

}  // namespace

// One call, shared by the caller and the review: either may end first.
struct WebhookEndpoint::Review {
  bool has_ended = false;
  std::optional<net::Response> response;
  async::Notify changed;
};

WebhookEndpoint::WebhookEndpoint(asio::any_io_executor executor, controller::Context& context,
                                 const std::vector<webhook::Webhook>& webhooks)
    : handler_(webhook::make_handler(context.clock, context.log.named("controller-runtime"), context.registry, budget_,
                                     controller::serve_webhooks(webhooks, context))),
      reviews_(std::move(executor)) {}

Task<net::Response> WebhookEndpoint::answer(WebhookCall call) {
  net::Request request;
  request.method = "POST";
  request.target = call.url.substr(kOrigin.size());
  request.headers = {{"Content-Type", "application/json"}};
  request.body = std::move(call.body);
  auto review = std::make_shared<Review>();
  // The coroutine of the review holds this, so it also fires when the review is dropped before it starts.
  std::shared_ptr<void> on_end(nullptr, [review](void*) {
    review->has_ended = true;
    review->changed.notify_all();
  });
  reviews_.spawn(run(review, std::move(request), std::move(on_end)));
  while (!review->has_ended) co_await review->changed.wait();
  if (!review->response) co_return transport_error("EOF");
  co_return std::move(*review->response);
}

asio::awaitable<void> WebhookEndpoint::run(std::shared_ptr<Review> review, net::Request request,
                                           std::shared_ptr<void> on_end) {
  const auto held = std::move(on_end);
  auto reply = co_await handler_(std::move(request));
  review->response = std::move(reply.response);
}

void register_webhooks(ApiServer& server, const std::vector<webhook::Webhook>& webhooks) {
  const auto write_url = [](json::Writer& writer, const std::string& path) {
    writer.field("url", std::string(kOrigin) + path);
  };
  for (const auto& configuration : controller::webhook_configurations(webhooks, write_url)) {
    const auto added = server.add_object(configuration.resource, "", configuration.json);
    KEELSON_ASSERT(added.has_value());
  }
}

ApiServerOptions with_webhooks(ApiServerOptions options, WebhookTransport transport) {
  if (options.webhooks) return options;
  options.webhooks = [transport = std::move(transport)](WebhookCall call) {
    return call.url.starts_with(kOrigin) ? transport(std::move(call)) : unknown_host(std::move(call));
  };
  return options;
}

Error connection_refused() { return transport_error("dial tcp: connect: connection refused"); }

}  // namespace keelson::sandbox
