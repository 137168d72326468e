#include "keelson/detail/net/certified_server.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"

namespace keelson::net {
namespace asio = boost::asio;

CertifiedServer::CertifiedServer(asio::any_io_executor executor, async::Clock& clock, Logger log, Handler handler,
                                 HttpServerOptions options, std::function<void()> on_listening)
    : executor_(std::move(executor)),
      clock_(clock),
      log_(std::move(log)),
      handler_(std::move(handler)),
      options_(std::move(options)),
      on_listening_(std::move(on_listening)) {}

Result<void> CertifiedServer::use(tls::ServerTls tls) {
  if (is_stopped_) return {};
  const auto expires = tls::expiry_of(tls.certificate_pem);
  if (server_) {
    KEELSON_TRY(server_->set_tls(std::move(tls)));
    expires_ = expires;
    return {};
  }
  auto options = options_;
  options.tls = std::move(tls);
  KEELSON_LET(server_, make_http_server(executor_, clock_, log_, handler_, std::move(options)));
  expires_ = expires;
  server_->start();
  on_listening_();
  return {};
}

asio::awaitable<void> CertifiedServer::stop(async::Duration grace) {
  is_stopped_ = true;
  if (server_) co_await server_->stop(grace);
}

void CertifiedServer::abort() {
  if (server_) server_->abort();
}

}  // namespace keelson::net
