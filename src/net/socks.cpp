#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>

#include "keelson/base/try.hpp"
#include "src/net/host_port.hpp"
#include "src/net/text.hpp"
#include "src/net/tunnel.hpp"

namespace keelson::net {
namespace asio = boost::asio;

namespace {

constexpr char kVersion = 5;
constexpr char kNoUser = 0;
constexpr char kUserAndPassword = 2;
constexpr char kConnect = 1;
constexpr char kIpv4 = 1;
constexpr char kName = 3;
constexpr char kIpv6 = 4;

// Go's texts for the reply codes from 1 on.
constexpr std::array<const char*, 8> kRejections = {"general SOCKS server failure", "connection not allowed by ruleset",
                                                    "network unreachable",          "host unreachable",
                                                    "connection refused",           "TTL expired",
                                                    "command not supported",        "address type not supported"};

// Consumes exactly the next `count` bytes.
Task<std::string> take(Connection& connection, std::size_t count) {
  while (connection.unread().size() < count) {
    KEELSON_CO_LET(auto got, co_await connection.fill());
    if (got == 0) co_return transport_error("socks: the proxy closed the connection: unexpected EOF");
  }
  std::string bytes(connection.unread().substr(0, count));
  connection.consume(count);
  co_return bytes;
}

// Authenticates to a proxy that has a user.
Task<void> log_in(Connection& connection, const Proxy& proxy) {
  std::string request{1};
  for (const auto& text : {proxy.user->name, proxy.user->password}) {
    request += static_cast<char>(text.size());
    request += text;
  }
  KEELSON_CO_TRY(co_await connection.write_all(request));
  KEELSON_CO_LET(auto answer, co_await take(connection, 2));
  if ((answer)[1] == 0) co_return Result<void>();
  co_return transport_error("socks: username/password authentication failed; correct them in " + proxy.source);
}

Task<void> greet(Connection& connection, const Proxy& proxy) {
  std::string offer =
      proxy.user ? std::string{kVersion, 2, kNoUser, kUserAndPassword} : std::string{kVersion, 1, kNoUser};
  KEELSON_CO_TRY(co_await connection.write_all(offer));
  KEELSON_CO_LET(auto answer, co_await take(connection, 2));
  if ((answer)[0] != kVersion) co_return malformed_error("socks: the proxy does not speak SOCKS 5");
  if ((answer)[1] == kNoUser) co_return Result<void>();
  if ((answer)[1] != kUserAndPassword || !proxy.user) {
    co_return transport_error(
        "socks: no acceptable authentication methods; write socks5://USER:PASSWORD@HOST:PORT into " + proxy.source);
  }
  co_return co_await log_in(connection, proxy);
}

// The type and bytes of an address; the proxy resolves names.
std::string encoded(const std::string& host) {
  boost::system::error_code no_address;
  auto address = asio::ip::make_address(host, no_address);
  if (no_address) return std::string{kName, static_cast<char>(host.size())} + host;
  std::string out{address.is_v4() ? kIpv4 : kIpv6};
  auto append = [&out](const auto& bytes) { out.append(bytes.begin(), bytes.end()); };
  if (address.is_v4()) {
    append(address.to_v4().to_bytes());
  } else {
    append(address.to_v6().to_bytes());
  }
  return out;
}

// Skips the address that the proxy connects from, which is not needed.
Task<void> skip_address(Connection& connection, char type) {
  std::size_t length = type == kIpv4 ? 4 : 16;
  if (type == kName) {
    KEELSON_CO_LET(auto size, co_await take(connection, 1));
    length = static_cast<unsigned char>((size)[0]);
  } else if (type != kIpv4 && type != kIpv6) {
    co_return malformed_error("socks: the proxy answers with an unknown address type");
  }
  KEELSON_CO_TRY(co_await take(connection, length + 2));
  co_return Result<void>();
}

}  // namespace

Task<void> open_socks_tunnel(Connection& connection, const Proxy& proxy, const Origin& target) {
  if (target.host.size() > 255) co_return invalid_error("socks: the host name is longer than 255 bytes");
  KEELSON_CO_TRY(co_await greet(connection, proxy));
  auto port = parse_port(target.port).value_or(0);
  auto request = std::string{kVersion, kConnect, 0} + encoded(target.host);
  request += static_cast<char>(port >> 8);
  request += static_cast<char>(port & 0xff);
  KEELSON_CO_TRY(co_await connection.write_all(request));
  KEELSON_CO_LET(auto answer, co_await take(connection, 4));
  auto code = static_cast<unsigned char>((answer)[1]);
  if (code != 0) {
    auto why = code <= kRejections.size() ? kRejections[code - 1] : "unknown code";
    co_return transport_error("socks connect to " + join_host_port(target.host, target.port) + ": " + why);
  }
  KEELSON_CO_TRY(co_await skip_address(connection, (answer)[3]));
  if (!connection.unread().empty()) co_return malformed_error("socks: the proxy sent unexpected data after its reply");
  co_return Result<void>();
}

}  // namespace keelson::net
