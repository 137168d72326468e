// Certificates of our own making, so that webhooks need no cert-manager.
//
// The certificate and its authority live in a Secret that all replicas share: whoever writes it first wins, the others
// take it over. The authority is written as caBundle into those webhooks of the two configurations that call our
// Service. Long before the certificate ends the next one is made: its authority is published beside the old one first,
// and only an hour later anybody serves with it, so that no write is ever refused for want of trust. A Secret that
// is deleted is restored as it was, where the manager may create Secrets.
//
// Its permissions: get and patch that Secret, get and patch those two configurations. `create` on secrets cannot be
// limited to a name, so config/default ships the Secret empty; without it and with `create` the manager makes it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/certificate_user.hpp"

namespace keelson::webhook {

struct SelfSignedOptions {
  std::string ns;  // of the Service and the Secret: the manager's
  std::string service_name;
  std::string secret;
  std::string mutating_configuration;  // either may be empty, or not be there (yet)
  std::string validating_configuration;
  std::string client_ca;  // a file; empty: no client certificates are asked for
};

[[nodiscard]] kube::Resource mutating_webhook_configurations();
[[nodiscard]] kube::Resource validating_webhook_configurations();

// References must outlive it. start() does not wait for the API server.
[[nodiscard]] std::unique_ptr<async::Runnable> make_self_signed(boost::asio::any_io_executor executor,
                                                                async::Clock& clock, const Logger& log,
                                                                metrics::Registry& registry, kube::Client& client,
                                                                SelfSignedOptions options, net::CertificateUser& user);

}  // namespace keelson::webhook
