#include "src/program/webhook_policy.hpp"

namespace keelson::program {

namespace {

WebhookPolicy off(std::string why_not) {
  WebhookPolicy plan;
  plan.why_not = std::move(why_not);
  return plan;
}

}  // namespace

WebhookPolicy decide_webhooks(const Options& options, const WebhookEnvironment& around) {
  if (!around.has_webhooks) {
    return off(options.webhook_url.empty() ? "" : "--webhook-url has no effect: there are no webhooks");
  }
  if (around.environment("ENABLE_WEBHOOKS") == "false") return off("Webhooks are off: ENABLE_WEBHOOKS is false");
  if (options.webhook_port == 0) return off("Webhooks are off: --webhook-port is 0");
  // Neither a certificate in a Secret nor a registration would be stored.
  if (options.dry_run && (!options.webhook_url.empty() || options.webhook_self_signed)) {
    return off("Webhooks are off: --dry-run stores no webhook certificate and no registration");
  }
  WebhookPolicy plan;
  plan.certificate = WebhookPolicy::Certificate::kForUrl;
  if (!options.webhook_url.empty()) return plan;
  plan.certificate = WebhookPolicy::Certificate::kSelfSigned;
  const bool is_folder_given = !options.webhook_cert_path.empty();
  const auto folder = is_folder_given ? std::filesystem::path(options.webhook_cert_path)
                                      : default_certificate_folder(around.environment, "k8s-webhook-server");
  // An absolute path replaces the folder, as std::filesystem joins paths.
  if (!options.webhook_client_ca.empty()) plan.paths.client_ca = folder / options.webhook_client_ca;
  if (options.webhook_self_signed) return plan;
  plan.certificate = WebhookPolicy::Certificate::kFiles;
  plan.paths.certificate = folder / options.webhook_cert_name;
  plan.paths.key = folder / options.webhook_cert_key;
  if (is_folder_given || around.exists(plan.paths.certificate)) return plan;
  return off("Webhooks are off: no --webhook-cert-path, no --webhook-self-signed, and no " + plan.paths.certificate);
}

}  // namespace keelson::program
