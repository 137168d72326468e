// --webhook-url: registers the webhooks of a manager that runs outside the cluster, for development.
//
// The server gets a certificate for the URL's host whose authority is known to this process only. Then two webhook
// configurations of its own, `NAME-development-mutating-webhook-configuration` and `-validating-…`, are applied with
// the URL and the authority, and stop() deletes them: without the process each write of these kinds would be rejected.
// After a kill -9 they remain; the next start applies them again, or delete them with kubectl.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <vector>

#include "keelson/async/runnable.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "keelson/net/certificate_authority.hpp"
#include "keelson/net/certificate_user.hpp"

namespace keelson::program {

// The context and the user must outlive it. `url` is valid (check_webhook_url).
class WebhookRegistration final : public async::Runnable {
 public:
  WebhookRegistration(boost::asio::any_io_executor executor, controller::Context& context, std::string url,
                      std::vector<webhook::Webhook> webhooks, net::CertificateUser& user)
      : context_(context),
        log_(context.log.named("webhook-registration")),
        url_(std::move(url)),
        webhooks_(std::move(webhooks)),
        user_(user),
        tasks_(std::move(executor)) {}

  [[nodiscard]] std::string name() const override { return "webhook registration"; }
  // Does not wait for the API server: what it rejects is logged once and tried again.
  [[nodiscard]] boost::asio::awaitable<Result<void>> start() override;
  [[nodiscard]] boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] Result<void> serve();
  [[nodiscard]] boost::asio::awaitable<void> work();
  [[nodiscard]] boost::asio::awaitable<Result<void>> apply_all();
  [[nodiscard]] boost::asio::awaitable<Result<void>> remove(kube::Resource resource, kube::Key key);
  [[nodiscard]] std::vector<controller::WebhookConfiguration> configurations() const;

  controller::Context& context_;
  Logger log_;
  std::string url_;
  std::vector<webhook::Webhook> webhooks_;
  net::CertificateUser& user_;
  std::string authority_pem_;
  async::TaskGroup tasks_;
};

// The API server calls https URLs without user, query and fragment only; the error says what to write.
[[nodiscard]] Result<void> check_webhook_url(std::string_view url);

}  // namespace keelson::program
