#include "src/sandbox/simulation/webhook_endpoint.hpp"

#include <optional>

#include "keelson/async/notify.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "keelson/webhook/handler.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

namespace {

constexpr std::string_view kOrigin = "https://manager.simulated:9443";

}  // namespace

// One call, shared by the caller and the review: either may end first.
struct WebhookEndpoint::Review {
  bool has_ended = false;
  std::optional<net::Response> response;
  async::Notify changed;
};

WebhookEndpoint::WebhookEndpoint(asio::any_io_executor executor, controller::Context& context,
                                 const std::vector<controller::Definition>& definitions)
    : handler_(webhook::make_handler(context.clock, context.log.named("controller-runtime"), context.registry, budget_,
                                     controller::webhooks_of(definitions, context))),
      reviews_(std::move(executor)) {}

asio::awaitable<Result<net::Response>> WebhookEndpoint::answer(WebhookCall call) {
  if (!call.url.starts_with(kOrigin)) {
    co_return transport("dial tcp: lookup " + call.url + ": no such host in the simulation");
  }
  net::Request request;
  request.method = "POST";
  request.target = call.url.substr(kOrigin.size());
  request.headers = {{"Content-Type", "application/json"}};
  request.body = std::move(call.body);
  auto review = std::make_shared<Review>();
  // Held by the coroutine of the review, which may also be dropped before it starts.
  std::shared_ptr<void> end(nullptr, [review](void*) {
    review->has_ended = true;
    review->changed.notify_all();
  });
  reviews_.spawn(run(review, std::move(request), std::move(end)));
  while (!review->has_ended) co_await review->changed.wait();
  if (!review->response) co_return transport("EOF");
  co_return std::move(*review->response);
}

asio::awaitable<void> WebhookEndpoint::run(std::shared_ptr<Review> review, net::Request request,
                                           std::shared_ptr<void> end) {
  const auto held = std::move(end);
  auto reply = co_await handler_(std::move(request));
  review->response = std::move(reply.response);
}

void register_webhooks(ApiServer& server, const std::vector<controller::Definition>& definitions) {
  const auto write_url = [](json::Writer& writer, const std::string& path) {
    writer.field("url", std::string(kOrigin) + path);
  };
  for (const auto& configuration : controller::webhook_configurations(definitions, write_url)) {
    server.add_object(configuration.resource, "", configuration.json);
  }
}

ServerOptions with_webhooks(ServerOptions options, WebhookTransport transport) {
  if (!options.webhooks) options.webhooks = std::move(transport);
  return options;
}

Error connection_refused() { return transport("dial tcp: connect: connection refused"); }

}  // namespace keelson::sandbox
