// The webhook server: HTTPS for the API server, listening from the moment it has a certificate.
//
// A source of certificates (net/certificate_files.hpp, self_signed.hpp) gives it one, and a new one whenever it
// changes; until the first has come the process is not ready, but it runs.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/certificate_user.hpp"
#include "keelson/net/server_budget.hpp"
#include "keelson/webhook/webhook.hpp"

namespace keelson::webhook {

struct ServerOptions {
  std::string host;  // empty: all addresses
  std::uint16_t port = 9443;
};

class Server : public async::Runnable, public net::CertificateUser {
 public:
  // 0 while it does not listen.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  // For /readyz: an error until it listens, which says what it waits for.
  [[nodiscard]] virtual Result<void> check() const = 0;
};

// `budget` is that of all servers of the process. References must outlive it; two webhooks of one path are our own
// mistake (asserted).
[[nodiscard]] std::unique_ptr<Server> make_server(boost::asio::any_io_executor executor, async::Clock& clock,
                                                  const Logger& log, metrics::Registry& registry,
                                                  net::ServerBudget& budget, std::vector<ServedWebhook> webhooks,
                                                  const ServerOptions& options);

// The series without labels, which dashboards expect at 0 where webhooks are off.
void register_series(metrics::Registry& registry);

}  // namespace keelson::webhook
