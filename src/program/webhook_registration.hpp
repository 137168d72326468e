// --webhook-url: registers the webhooks of a manager that runs outside the cluster, for development.
//
// The server gets a certificate for the host of the URL, signed by a CA that exists in this process only. The process
// then applies two webhook configurations of its own, `NAME-development-mutating-webhook-configuration` and
// `-validating-…`, with the URL and the CA. stop() deletes them, because the API server would otherwise reject each
// write of these kinds. After a kill -9 they remain: the next start applies them again, or delete them with kubectl.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/detail/tls/certificate_user.hpp"

namespace keelson::program {

// Context and user must outlive it. `url` has passed check_webhook_url().
class WebhookRegistration final : public async::Runnable {
 public:
  WebhookRegistration(boost::asio::any_io_executor executor, controller::Context& context, std::string url,
                      std::vector<webhook::Webhook> webhooks, tls::CertificateUser& user)
      : context_(context),
        log_(context.log.named("webhook-registration")),
        url_(std::move(url)),
        webhooks_(std::move(webhooks)),
        user_(user),
        tasks_(std::move(executor)) {}

  [[nodiscard]] std::string name() const override { return "webhook registration"; }
  // Does not wait for the API server: an error is logged once, and the registration retried.
  [[nodiscard]] Task<void> start() override;
  [[nodiscard]] boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] Result<void> serve();
  [[nodiscard]] boost::asio::awaitable<void> work();
  [[nodiscard]] Task<void> apply_all();
  [[nodiscard]] Task<void> remove(kube::Resource resource, kube::Key key);
  [[nodiscard]] std::vector<controller::WebhookConfiguration> configurations() const;

  controller::Context& context_;
  Logger log_;
  std::string url_;
  std::vector<webhook::Webhook> webhooks_;
  tls::CertificateUser& user_;
  std::string authority_pem_;
  async::TaskGroup tasks_;
};

// The API server calls only https URLs without user, query and fragment. The error has an example.
[[nodiscard]] Result<void> check_webhook_url(std::string_view url);

}  // namespace keelson::program
