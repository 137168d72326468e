#include "keelson/webhook/handler.hpp"

#include "src/webhook/admission_handler.hpp"

namespace keelson::webhook {

namespace {

class InProcess final : public Handler {
 public:
  InProcess(async::Clock& clock, const Logger& log, metrics::Registry& registry, net::ServerBudget& budget,
            std::vector<KindWebhooks> kinds)
      : handler_(clock, log, registry, budget, std::move(kinds)) {}

  boost::asio::awaitable<net::Response> serve(net::Request request) override {
    auto reply = co_await handler_.serve(std::move(request));
    co_return std::move(reply.response);
  }

 private:
  AdmissionHandler handler_;
};

}  // namespace

std::unique_ptr<Handler> make_handler(async::Clock& clock, const Logger& log, metrics::Registry& registry,
                                      net::ServerBudget& budget, std::vector<KindWebhooks> kinds) {
  return std::make_unique<InProcess>(clock, log, registry, budget, std::move(kinds));
}

}  // namespace keelson::webhook
