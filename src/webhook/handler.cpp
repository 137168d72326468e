#include "keelson/detail/webhook/handler.hpp"

#include <memory>

#include "src/webhook/admission_handler.hpp"

namespace keelson::webhook {

net::Handler make_handler(async::Clock& clock, const Logger& log, metrics::Registry& registry,
                          net::ServerBudget& budget, std::vector<ServedWebhook> webhooks) {
  // Shared because a std::function must be copyable.
  auto handler = std::make_shared<AdmissionHandler>(clock, log, registry, budget, std::move(webhooks));
  return [handler](net::Request request) { return handler->serve(std::move(request)); };
}

}  // namespace keelson::webhook
