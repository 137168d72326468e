#include "src/sandbox/simulation/webhook_endpoint.hpp"

#include "keelson/base/assert.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "src/sandbox/simulation/requests.hpp"

namespace keelson::sandbox {

namespace {

const std::string kOrigin = "https://manager.simulated:9443";

std::vector<webhook::KindWebhooks> webhooks_of(controller::Context& context,
                                               const std::vector<controller::Definition>& definitions) {
  std::vector<webhook::KindWebhooks> kinds;
  for (const auto& definition : definitions) {
    if (definition.is_defaulted() || definition.is_validated()) kinds.push_back(definition.make_webhooks(context));
  }
  return kinds;
}

}  // namespace

WebhookEndpoint::WebhookEndpoint(controller::Context& context, const std::vector<controller::Definition>& definitions)
    : handler_(webhook::make_handler(context.clock, context.log.named("controller-runtime"), context.registry, budget_,
                                     webhooks_of(context, definitions))) {}

boost::asio::awaitable<Result<net::Response>> WebhookEndpoint::answer(WebhookCall call) {
  net::Request request;
  request.method = "POST";
  request.target = call.url.substr(kOrigin.size());
  request.headers = {{"Content-Type", "application/json"}};
  request.body = std::move(call.body);
  auto response = co_await handler_->serve(std::move(request));
  co_return response;
}

void register_webhooks(testing::TestLoop& loop, ApiServer& server,
                       const std::vector<controller::Definition>& definitions) {
  const auto write_url = [](json::Writer& writer, const std::string& path) { writer.field("url", kOrigin + path); };
  for (auto& configuration : controller::webhook_configurations(definitions, write_url)) {
    auto created = create_as_user(loop, server, configuration.resource, "", configuration.json);
    KEELSON_ASSERT(created.has_value());
  }
}

ServerOptions with_webhooks(ServerOptions options, WebhookTransport transport) {
  if (!options.webhooks) options.webhooks = std::move(transport);
  return options;
}

Error no_webhook_server() { return transport("dial tcp: connect: connection refused"); }

}  // namespace keelson::sandbox
