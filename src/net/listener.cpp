#include "src/net/listener.hpp"

#include <netdb.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <memory>
#include <optional>

#include "keelson/detail/base/text.hpp"
#include "src/net/text.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr int kBacklog = 511;

// A name is resolved once, at start, when blocking the loop delays nothing. The first IPv4 address wins, as in Go.
Result<asio::ip::address> address_of(const std::string& host) {
  error_code no_address;
  auto address = asio::ip::make_address(host, no_address);
  if (!no_address) return address;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) {
    return transport_error("lookup " + host + ": no such host");
  }
  std::unique_ptr<addrinfo, decltype([](addrinfo* list) { ::freeaddrinfo(list); })> owned(found);
  std::optional<asio::ip::address> first;
  for (auto* entry = found; entry != nullptr; entry = entry->ai_next) {
    tcp::endpoint endpoint;
    if (entry->ai_addrlen > endpoint.capacity()) continue;
    std::copy_n(reinterpret_cast<const char*>(entry->ai_addr), entry->ai_addrlen,
                reinterpret_cast<char*>(endpoint.data()));
    if (endpoint.address().is_v4()) return endpoint.address();
    if (!first) first = endpoint.address();
  }
  if (!first) return transport_error("lookup " + host + ": no such host");
  return *first;
}

error_code listen_on(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code failed;
  acceptor.open(endpoint.protocol(), failed);
  if (failed) return failed;
  acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (endpoint.address() == asio::ip::address_v6::any()) {
    acceptor.set_option(asio::ip::v6_only(false), failed);
    if (failed) return failed;
  }
  acceptor.bind(endpoint, failed);
  if (!failed) acceptor.listen(kBacklog, failed);
  return failed;
}

// The connection ended before it was accepted; the next one may succeed.
bool is_passing(error_code failed) {
  return failed == asio::error::connection_aborted || failed == asio::error::connection_reset ||
         failed == asio::error::interrupted;
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::bind(asio::any_io_executor executor, const std::string& host,
                                                 std::uint16_t port) {
  auto name = join_host_port(host, std::to_string(port));
  auto reject = [&](const std::string& why) {
    return transport_error("error listening on " + name + ": listen tcp " + name + ": " + why);
  };
  tcp::acceptor acceptor(executor);
  error_code failed;
  if (!host.empty()) {
    auto address = address_of(host);
    if (!address) return reject(address.error().text);
    failed = listen_on(acceptor, tcp::endpoint(*address, port));
  } else {
    failed = listen_on(acceptor, tcp::endpoint(asio::ip::address_v6::any(), port));
    bool taken = failed == asio::error::address_in_use;
    if (failed && !taken) {  // a kernel without IPv6
      acceptor = tcp::acceptor(executor);
      failed = listen_on(acceptor, tcp::endpoint(asio::ip::address_v4::any(), port));
    }
  }
  if (failed) return reject("bind: " + base::with_lower_first(failed.message()));
  return std::make_unique<Listener>(std::move(acceptor));
}

std::uint16_t Listener::port() const { return acceptor_.local_endpoint().port(); }

Task<tcp::socket> Listener::accept() {
  for (;;) {
    error_code failed;
    auto socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
    if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
    if (is_passing(failed)) continue;
    if (failed) co_return transport_error("accept tcp: " + base::with_lower_first(failed.message()));
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    co_return std::move(socket);
  }
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

}  // namespace keelson::net
