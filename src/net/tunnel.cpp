#include "src/net/tunnel.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "src/net/message_io.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

namespace {

std::string remedy(int status, const Proxy& proxy, const std::string& target) {
  if (status == 407 && !proxy.user) {
    return "it requires a user: write http://USER:PASSWORD@HOST:PORT into " + proxy.source;
  }
  if (status == 407) return "it rejects the user and password of " + proxy.source;
  if (status == 403 || status == 405) return "the proxy must allow CONNECT to " + target;
  return "the proxy cannot reach " + target;
}

}  // namespace

bool is_forwarding(const Proxy& proxy, const Origin& target) {
  return !target.tls && proxy.kind != Proxy::Kind::kSocks5;
}

std::string proxy_authorization(const Proxy& proxy) {
  if (!proxy.user) return {};
  return "Proxy-Authorization: Basic " + base::base64_encode(proxy.user->name + ":" + proxy.user->password) + "\r\n";
}

Task<void> open_tunnel(Connection& connection, const Proxy& proxy, const Origin& target) {
  auto address = join_host_port(target.host, target.port);
  auto head = "CONNECT " + address + " HTTP/1.1\r\nHost: " + address + "\r\n" + proxy_authorization(proxy) + "\r\n";
  KEELSON_CO_TRY(co_await connection.write_all(head));
  MessageParser parser(MessageParser::Expect::kResponseWithoutBody, std::nullopt);
  auto read = co_await read_header(connection, parser);
  if (!read) co_return std::move(read.error()).with_context("CONNECT " + address);
  auto status = parser.response().status;
  if (status / 100 != 2) {
    co_return transport_error("CONNECT " + address + ": the proxy answers " + std::to_string(status) + "; " +
                              remedy(status, proxy, address));
  }
  if (!connection.unread().empty()) {
    co_return malformed_error("CONNECT " + address + ": the proxy sent unexpected data after its reply");
  }
  co_return Result<void>();
}

}  // namespace keelson::net
