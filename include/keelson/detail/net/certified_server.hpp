// An HTTPS server that begins to listen with its first certificate, and replaces the certificate without closing
// connections.
//
// Until the first certificate arrives the port is closed, so that clients see "connection refused" and not a TLS error.
// Pass the server as CertificateUser to a source of certificates (certificate_files.hpp, memory_certificate.hpp). The
// server does not own its source: stop the source first. A late use() after stop() has no effect.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/tls/certificate_user.hpp"

namespace keelson::net {

class CertifiedServer final : public tls::CertificateUser {
 public:
  // `options.tls` stays empty: use() sets it. `on_listening` is called once, from the use() that opened the port, for a
  // log line such as "Serving webhook server". The clock, and everything that the handler refers to, must outlive the
  // server.
  CertifiedServer(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, Handler handler,
                  HttpServerOptions options, std::function<void()> on_listening);

  // The first call binds the port and starts the server; later calls replace the certificate of new connections. After
  // stop() it does nothing and succeeds. A failed first call can be repeated.
  [[nodiscard]] Result<void> use(tls::ServerTls tls) override;
  void wait_because(const Error& reason) override { reason_ = reason; }

  // The port, even if the options requested any free port (0); 0 until the server listens.
  [[nodiscard]] std::uint16_t port() const { return server_ ? server_->port() : std::uint16_t{0}; }
  // When the certificate in use expires; nullopt without one.
  [[nodiscard]] std::optional<async::WallTime> expires() const { return expires_; }
  // The last reason why there is no certificate, as the source reported it; for readiness checks. Ignore it when port()
  // is not 0: it is not cleared.
  [[nodiscard]] const std::optional<Error>& reason() const { return reason_; }

  // As HttpServer::stop() and abort(); valid even if the server never listened. Call stop() before destruction.
  [[nodiscard]] boost::asio::awaitable<void> stop(async::Duration grace);
  void abort();

 private:
  boost::asio::any_io_executor executor_;
  async::Clock& clock_;
  Logger log_;
  Handler handler_;
  HttpServerOptions options_;
  std::function<void()> on_listening_;
  std::unique_ptr<HttpServer> server_;  // null before the first certificate
  std::optional<Error> reason_;
  std::optional<async::WallTime> expires_;
  bool is_stopped_ = false;
};

}  // namespace keelson::net
