// The webhooks: their registration, the Service and its endpoints, the certificate, and a real call.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

[[nodiscard]] boost::asio::awaitable<void> examine_webhooks(Reader& reader, const Installation& installation,
                                                            Findings& findings);

// The registration that this binary would generate.
[[nodiscard]] std::vector<controller::WebhookConfiguration> desired_configurations(const Examined& examined);

// Compares a configuration with the generated one: paths, rules and failure policy of each webhook, and its caBundle.
void check_configuration(const controller::WebhookConfiguration& desired, const std::string& name,
                         const Reading& reading, Findings& findings);

// The name of the configuration in a list that calls a Service of the namespace at a path of `desired`; empty if there
// is none.
[[nodiscard]] std::string calling_configuration(const controller::WebhookConfiguration& desired, json::View list,
                                                const std::string& ns);

// The Service that the first webhook calls; nullopt if they have a URL.
struct CalledService {
  std::string ns;
  std::string name;
  auto operator<=>(const CalledService&) const = default;
};
[[nodiscard]] std::optional<CalledService> called_service(json::View configuration);

// `slices` are its EndpointSlices. A Service with an external name has none.
void check_webhook_service(const CalledService& called, const Reading& service, const Reading& slices,
                           Findings& findings);

// `ca_bundle` is PEM; empty if it is unknown. Of a certificate with intermediate ones, dates, key
// and names are checked, but not that `ca_bundle` ends its chain.
void check_certificate(const std::string& name, const Reading& secret, const std::string& ca_bundle,
                       const CalledService& called, async::WallTime now, Findings& findings);
// The PEM of the first webhook's caBundle.
[[nodiscard]] std::string ca_bundle_of(json::View configuration);

// A dry run of a create of each kind that a webhook reviews and that has a sample.
[[nodiscard]] Requests dry_run_calls(const Examined& examined, const std::string& ns);
// The webhooks of other programs are called, too; that one of them fails is no finding about ours.
void check_call(const Examined& examined, const Request& call, Findings& findings);

}  // namespace keelson::doctor
