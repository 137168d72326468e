#include "src/net/tcp_connect.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <optional>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/net/lookups.hpp"
#include "src/net/text.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using Endpoints = std::vector<tcp::endpoint>;

template <class Value>
void set_option(int socket, int level, int name, Value value) {
  // Best effort: the connection also works if the kernel rejects an option.
  ::setsockopt(socket, level, name, &value, sizeof value);
}

// The sockets use TCP_NODELAY, as in Go's dialer. A peer that disappears without closing the connection is detected
// after 15 s, idle or not: the kernel probes a silent connection from 6 s on, every 3 s, and gives up at the third
// probe without an answer; and it gives up on sent bytes that are not acknowledged. The two times must be equal,
// because the user timeout also ends the probes.
constexpr int kKeepAliveIdleSeconds = 6;
constexpr int kKeepAliveIntervalSeconds = 3;
constexpr int kKeepAliveProbes = 3;
constexpr int kUserTimeoutMilliseconds = (kKeepAliveIdleSeconds + kKeepAliveIntervalSeconds * kKeepAliveProbes) * 1000;

void set_options(int socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, kKeepAliveIdleSeconds);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, kKeepAliveIntervalSeconds);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, kKeepAliveProbes);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, kUserTimeoutMilliseconds);
}

asio::awaitable<void> connect_one(tcp::socket& socket, tcp::endpoint endpoint, error_code& failed) {
  error_code outcome;
  co_await socket.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, outcome));
  if (outcome == asio::error::operation_aborted) throw boost::system::system_error(outcome);
  failed = outcome;
}

Error dial_error(const tcp::endpoint& endpoint, const std::string& why) {
  auto address = join_host_port(endpoint.address().to_string(), std::to_string(endpoint.port()));
  return transport_error("dial tcp " + address + ": " + why);
}

Task<Endpoints> resolve(std::string host, std::string port) {
  auto executor = co_await asio::this_coro::executor;
  auto& lookups = lookups_of(executor);
  auto answer = co_await lookups.find(host, port);
  if (answer.failed == asio::error::host_not_found || (!answer.failed && answer.endpoints.empty())) {
    co_return transport_error("dial tcp: lookup " + host + ": no such host");
  }
  if (answer.failed) {
    co_return transport_error("dial tcp: lookup " + host + ": " + base::with_lower_first(answer.failed.message()));
  }
  co_return std::move(answer.endpoints);
}

// Tries each address in turn, with its share of the remaining time but at least 2 s, as Go's dialer does.
Task<tcp::socket> connect_any(async::Clock& clock, Endpoints endpoints, async::Duration limit) {
  auto executor = co_await asio::this_coro::executor;
  auto deadline = clock.now() + limit;
  std::optional<Error> first_failure;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    auto left = deadline - clock.now();
    if (left <= async::Duration::zero()) break;
    auto share = std::max<async::Duration>(left / static_cast<int>(endpoints.size() - i), std::chrono::seconds(2));
    tcp::socket socket(executor);
    error_code failed;
    auto attempt = connect_one(socket, endpoints[i], failed);
    auto in_time = co_await async::finish_within(clock, std::min(left, share), std::move(attempt));
    if (in_time && !failed) {
      set_options(socket.native_handle());
      co_return std::move(socket);
    }
    auto error =
        dial_error(endpoints[i], in_time ? "connect: " + base::with_lower_first(failed.message()) : "i/o timeout");
    if (!in_time) error.kind = Error::Kind::kTimeout;
    if (!first_failure) first_failure = std::move(error);
  }
  co_return std::move(*first_failure);
}

}  // namespace

Task<tcp::socket> connect_tcp(async::Clock& clock, std::string host, std::string port, async::Duration limit) {
  error_code no_address;
  auto address = asio::ip::make_address(host, no_address);
  Endpoints endpoints;
  if (!no_address) {
    endpoints.emplace_back(address, static_cast<std::uint16_t>(std::stoul(port)));
  } else {
    auto lookup = resolve(host, port);
    KEELSON_CO_LET(auto found,
                   co_await async::with_timeout(clock, limit, "dial tcp: lookup " + host, std::move(lookup)));
    endpoints = std::move(found);
  }
  co_return co_await connect_any(clock, std::move(endpoints), limit);
}

// close() resets a connection that lingers for 0 s: the kernel discards what it holds and sends nothing more. This also
// holds when the process ends, in any way. Not through Asio, whose destructor of a socket removes the option.
void limit_delivery_on(int socket, async::Duration limit) {
  const bool is_limited = limit > async::Duration::zero();
  auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  auto user_timeout = std::min<std::int64_t>(milliseconds, kUserTimeoutMilliseconds);
  set_option(socket, SOL_SOCKET, SO_LINGER, linger{is_limited ? 1 : 0, 0});
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT,
             is_limited ? static_cast<int>(user_timeout) : kUserTimeoutMilliseconds);
}

}  // namespace keelson::net
