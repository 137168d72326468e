// The webhook server: HTTPS for the API server. It listens when it has received its first certificate.
//
// A source of certificates (tls/certificate_files.hpp, self_signed.hpp) calls use() with the first certificate and with
// each later one, which new connections get without a restart. Until the first one arrives the process runs but is not
// ready.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/net/server_budget.hpp"
#include "keelson/detail/tls/certificate_user.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::webhook {

struct ServerOptions {
  std::string host;           // empty: all addresses
  std::uint16_t port = 9443;  // controller-runtime's default; 0: a free port
};

// stop() closes the port, waits up to 5 s for running reviews and then cancels them; abort() cancels them immediately.
class Server : public async::Runnable, public tls::CertificateUser {
 public:
  // The port on which it listens; 0 while it does not listen.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  // For /readyz: an error with the reason until the server listens.
  [[nodiscard]] virtual Result<void> check() const = 0;
  // When the serving certificate expires; nullopt without one.
  [[nodiscard]] virtual std::optional<async::WallTime> certificate_expires() const = 0;
};

// `budget` is shared by all servers of the process. References must outlive the server. Asserts that paths are unique;
// check_webhooks() reports duplicates to authors.
[[nodiscard]] std::unique_ptr<Server> make_server(boost::asio::any_io_executor executor, async::Clock& clock,
                                                  const Logger& log, metrics::Registry& registry,
                                                  net::ServerBudget& budget, std::vector<ServedWebhook> webhooks,
                                                  const ServerOptions& options);

// Registers the label-less series with value 0, for programs without webhooks: dashboards expect them.
void register_series(metrics::Registry& registry);

// Exports keelson_webhook_info, which is 1 for each of these webhooks: the API server's own metrics have the names of
// webhooks and not their paths. Call it if the webhooks are served.
void export_names(metrics::Registry& registry, const std::vector<Webhook>& webhooks);

}  // namespace keelson::webhook
