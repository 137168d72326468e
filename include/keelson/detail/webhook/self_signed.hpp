// A self-signed serving certificate for the webhook server, so that webhooks do not need cert-manager.
//
// The certificate and its CA are stored in a Secret that all replicas share: the first replica to write it wins, and
// the others use its certificate. The CA is written as caBundle into the webhooks of the two configurations that call
// our Service; webhooks of other services are left alone.
//
// Rotation: a certificate is valid for a year, and the next one is created 122 days before its end. Its CA is published
// next to the old one first, and replicas serve with the new certificate at the earliest an hour later, so that API
// servers never see a certificate whose CA they do not trust yet.
//
// A deleted Secret is restored with the same certificate if the manager has the permission to create Secrets. A Secret
// that this operator did not create is never changed; this is logged as an error.
//
// Permissions: get and patch of the Secret and of the two configurations. `create` on secrets cannot be limited to a
// name, so config/default contains an empty Secret. If it is missing, the manager creates it, which needs `create`.
//
// Without the API server it retries every 5 s, and the server keeps its current certificate.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/tls/certificate_user.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::webhook {

struct SelfSignedOptions {
  std::string ns;  // of the Service and the Secret: the manager's namespace
  std::string service_name;
  std::string secret;
  std::string mutating_configuration;  // each of the two may be empty, or not exist (yet)
  std::string validating_configuration;
  std::string client_ca;  // path of a PEM file; empty: clients need no certificate
};

// Calls user.use() with the first certificate and each later one, and user.wait_because() with the reason while there
// is none. References must outlive the result. start() does not wait for the API server; stop() cancels the running
// request.
[[nodiscard]] std::unique_ptr<async::Runnable> make_self_signed(boost::asio::any_io_executor executor,
                                                                async::Clock& clock, const Logger& log,
                                                                metrics::Registry& registry, kube::Client& client,
                                                                SelfSignedOptions options, tls::CertificateUser& user);

}  // namespace keelson::webhook
