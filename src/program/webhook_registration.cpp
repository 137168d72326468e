#include "src/program/webhook_registration.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/json/value.hpp"

namespace keelson::program {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr async::Duration kRegistrationRetry = 5s;
// An API server that does not answer must not delay the stop.
constexpr async::Duration kRemovalLimit = 5s;
// The clocks of this machine and of the API server may differ.
constexpr async::Duration kBackdating = 1h;
constexpr async::Duration kDevelopmentLifetime = 24h * 365;

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

Result<void> check_webhook_url(std::string_view url) {
  KEELSON_LET(const auto server, net::parse_server_url(url, net::Scheme::kHttps));
  if (url.find_first_of("?#@") == std::string_view::npos && server.origin.tls && url.starts_with("https://")) return {};
  return invalid_error("the API server calls only https URLs without user, query and fragment, such as " +
                       std::string("https://192.168.1.7:9443"));
}

Task<void> WebhookRegistration::start() {
  KEELSON_CO_TRY(serve());
  tasks_.spawn(work());
  co_return Result<void>();
}

Result<void> WebhookRegistration::serve() {
  KEELSON_LET(const auto server, net::parse_server_url(url_, net::Scheme::kHttps));
  const auto now = context_.clock.wall_now();
  const tls::ServingCertificateRequest request{context_.client.operator_name().text() + " development authority",
                                               {server.origin.host},
                                               now - kBackdating,
                                               now + kDevelopmentLifetime};
  KEELSON_LET(const auto identity, tls::make_serving_certificate(request));
  authority_pem_ = identity.authority_pem;
  return user_.use({identity.certificate_pem, identity.key_pem, ""});
}

asio::awaitable<void> WebhookRegistration::work() {
  std::string last_error;
  for (;;) {
    const auto applied = co_await apply_all();
    user_.note_attempt(applied ? nullptr : &applied.error());
    if (applied) break;
    if (std::exchange(last_error, applied.error().message()) != applied.error().message()) {
      log_.error(applied.error(), "Failed to register the webhooks; retrying", {{"url", url_}});
    }
    co_await async::sleep_for(context_.clock, kRegistrationRetry);
  }
  log_.info("Registered the webhooks until the manager stops", {{"url", url_}});
}

Task<void> WebhookRegistration::apply_all() {
  for (auto& configuration : configurations()) {
    KEELSON_CO_LET(const auto document, json::Document::parse(configuration.json));
    const kube::Key key("", document.root().at({"metadata", "name"}).string().value_or(""));
    KEELSON_CO_TRY(co_await kube::apply(context_.client, configuration.resource, key, kube::ApplyForm::kForce,
                                        configuration.json));
  }
  co_return Result<void>();
}

asio::awaitable<void> WebhookRegistration::stop() {
  tasks_.stop();
  co_await tasks_.join();
  for (auto& configuration : configurations()) {
    const auto document = json::Document::parse(configuration.json);
    const kube::Key key("", document->root().at({"metadata", "name"}).string().value_or(""));
    const auto removed = co_await async::with_timeout(context_.clock, kRemovalLimit, "delete the registration",
                                                      remove(configuration.resource, key));
    if (!removed) {
      log_.error(removed.error(), "Failed to delete the registration of the webhooks: delete it with kubectl",
                 {{"kind", configuration.resource.kind}, {"name", key.name}});
    }
  }
}

// Does nothing if another process with the operator's name has replaced the registration.
Task<void> WebhookRegistration::remove(kube::Resource resource, kube::Key key) {
  const auto registered = co_await kube::get(context_.client, resource, key);
  if (!registered && kube::is_not_found(registered.error())) co_return Result<void>();
  if (registered && registered->json().find(base::base64_encode(authority_pem_)) == std::string_view::npos) {
    co_return Result<void>();
  }
  auto removed = co_await kube::remove(context_.client, std::move(resource), std::move(key), kube::DeleteOptions{});
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Result<void>();
}

std::vector<controller::WebhookConfiguration> WebhookRegistration::configurations() const {
  const auto write = [this](json::Writer& writer, const std::string& path) {
    writer.field("caBundle", base::base64_encode(authority_pem_)).field("url", without_slash(url_) + path);
  };
  return controller::webhook_configurations(webhooks_, write, context_.client.operator_name().with("development-"));
}

}  // namespace keelson::program
