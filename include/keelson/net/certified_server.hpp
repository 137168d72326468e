// An HTTPS server that listens from its first certificate on, and takes another one without letting go of anybody.
//
// Whoever makes it gives it to a source of certificates (certificate_files.hpp, memory_certificate.hpp).
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/net/certificate_user.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::net {

class CertifiedServer final : public CertificateUser {
 public:
  // `options` without TLS, which comes by use(). `on_listening` is called once. References must outlive it.
  CertifiedServer(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, Handler handler,
                  ServerOptions options, std::function<void()> on_listening);

  // After stop() it does nothing.
  [[nodiscard]] Result<void> use(ServerTls tls) override;
  void wait_because(const Error& reason) override { reason_ = reason; }

  // 0 while it does not listen.
  [[nodiscard]] std::uint16_t port() const { return server_ ? server_->port() : std::uint16_t{0}; }
  // What it waits for while it does not listen, if a source has said so.
  [[nodiscard]] const std::optional<Error>& reason() const { return reason_; }

  // As HttpServer's; also when it never listened.
  [[nodiscard]] boost::asio::awaitable<void> stop(async::Duration grace);
  void abort();

 private:
  boost::asio::any_io_executor executor_;
  async::Clock& clock_;
  Logger log_;
  Handler handler_;
  ServerOptions options_;
  std::function<void()> on_listening_;
  std::unique_ptr<HttpServer> server_;  // none before the first certificate
  std::optional<Error> reason_;
  bool is_stopped_ = false;
};

}  // namespace keelson::net
