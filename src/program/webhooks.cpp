#include "src/program/webhooks.hpp"

#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/tls/certificate_files.hpp"
#include "keelson/detail/webhook/self_signed.hpp"
#include "src/program/webhook_policy.hpp"
#include "src/program/webhook_registration.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

WebhookEnvironment webhook_environment(const controller::Context& context,
                                       const std::vector<webhook::Webhook>& webhooks) {
  WebhookEnvironment around{environment_by(context.environment)};
  around.has_webhooks = !webhooks.empty();
  return around;
}

}  // namespace

Webhooks::Webhooks(asio::any_io_executor executor, controller::Context& context, net::ServerBudget& budget,
                   const Options& options, std::string ns, const std::vector<webhook::Webhook>& webhooks) {
  webhook::register_series(context.registry);
  for (const auto& one : webhooks) paths_.push_back(one.path());
  const auto plan = decide_webhooks(options, webhook_environment(context, webhooks));
  if (plan.certificate == WebhookPolicy::Certificate::kNone) {
    if (!plan.why_not.empty()) context.log.named("setup").info(plan.why_not);
    return;
  }
  webhook::export_names(context.registry, webhooks);
  auto log = context.log.named("controller-runtime");
  webhook::ServerOptions server_options;
  server_options.port = static_cast<std::uint16_t>(options.webhook_port);
  server_ = webhook::make_server(executor, context.clock, log, context.registry, budget,
                                 controller::serve_webhooks(webhooks, context), server_options);
  health_.emplace(context.clock, *server_);
  if (plan.certificate == WebhookPolicy::Certificate::kFiles) {
    certificate_ =
        tls::make_certificate_files(executor, context.clock, log, context.registry, "webhook", plan.paths, *health_);
    return;
  }
  if (plan.certificate == WebhookPolicy::Certificate::kForUrl) {
    is_registration_ = true;
    certificate_ = std::make_unique<WebhookRegistration>(executor, context, options.webhook_url, webhooks, *health_);
    return;
  }
  webhook::SelfSignedOptions self_signed{std::move(ns),
                                         options.webhook_service_name,
                                         options.webhook_secret,
                                         options.webhook_mutating_configuration,
                                         options.webhook_validating_configuration,
                                         plan.paths.client_ca};
  certificate_ = webhook::make_self_signed(executor, context.clock, log, context.registry, context.client,
                                           std::move(self_signed), *health_);
}

void Webhooks::add_to(lifecycle::Manager& manager, lifecycle::HealthChecks& checks) {
  if (!server_) return;
  manager.add(lifecycle::Group::kWebhooks, *server_);
  // A registration is deleted before the server stops answering.
  manager.add(is_registration_ ? lifecycle::Group::kOthers : lifecycle::Group::kWebhooks, *certificate_);
  checks.readyz.push_back({"webhook", [this] { return server_->check(); }});
}

}  // namespace keelson::program
