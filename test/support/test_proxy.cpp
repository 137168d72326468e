#include "test/support/test_proxy.hpp"

#include <memory>
#include <utility>

#include "keelson/async/task_group.hpp"

namespace keelson::testing {
namespace asio = boost::asio;

namespace {

using Bytes = std::string;

asio::awaitable<void> say(RawConnection& client, Bytes text) {
  auto heard = co_await client.write(std::move(text));
  static_cast<void>(heard);  // the next read detects a closed connection
}

asio::awaitable<void> pump(RawConnection& from, RawConnection& to) {
  for (;;) {
    auto bytes = co_await from.read_some();
    if (bytes.empty()) co_return;
    auto wrote = co_await to.write(std::move(bytes));
    if (!wrote) co_return;
  }
}

// Forwards until one of the two sides closes.
asio::awaitable<void> relay(RawConnection& client, RawConnection& server) {
  auto both = [&](async::TaskGroup& group) -> asio::awaitable<void> {
    group.spawn(pump(client, server));
    co_await pump(server, client);
  };
  co_await async::with_task_group(both);
}

std::uint16_t port_of(const std::string& address) {
  return static_cast<std::uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
}

// The text between `begin` and the next `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  auto from = text.find(begin);
  if (from == std::string::npos) return {};
  from += begin.size();
  return text.substr(from, text.find(end, from) - from);
}

// Exactly `count` bytes; zeros if the client closes the connection.
asio::awaitable<Bytes> take(RawConnection& client, Bytes& unread, std::size_t count) {
  while (unread.size() < count) {
    auto more = co_await client.read_some();
    if (more.empty()) more.assign(count, '\0');
    unread += more;
  }
  auto taken = unread.substr(0, count);
  unread.erase(0, count);
  co_return taken;
}

// A length byte and the bytes that follow.
asio::awaitable<Bytes> take_counted(RawConnection& client, Bytes& unread) {
  auto count = co_await take(client, unread, 1);
  auto counted = co_await take(client, unread, static_cast<unsigned char>(count[0]));
  co_return counted;
}

}  // namespace

TestProxy::TestProxy(asio::any_io_executor executor, Options options)
    : options_(std::move(options)),
      peer_(
          std::move(executor), [this](RawConnection& client) { return serve(client); }, options_.tls) {}

asio::awaitable<void> TestProxy::serve(RawConnection& client) {
  return options_.speaks == Speaks::kHttp ? serve_http(client) : serve_socks(client);
}

asio::awaitable<void> TestProxy::serve_http(RawConnection& client) {
  auto request = co_await client.read_request();
  if (between(request, "Proxy-Authorization: ", "\r\n") != options_.authorization) {
    co_await say(client, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    co_return;
  }
  asked_.push_back(request.substr(0, request.find(" HTTP/")));
  bool is_tunnel = request.starts_with("CONNECT ");
  auto address = is_tunnel ? between(request, "CONNECT ", " ") : between(request, "http://", "/");
  auto server = co_await connect_raw(port_of(address));
  if (!server) {
    co_await say(client, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    co_return;
  }
  if (is_tunnel) {
    co_await say(client, "HTTP/1.1 200 Connection established\r\n\r\n");
  } else {
    co_await say(*server, std::move(request));
  }
  co_await relay(client, *server);
}

asio::awaitable<void> TestProxy::serve_socks(RawConnection& client) {
  Bytes unread;
  auto version = co_await take(client, unread, 1);
  auto methods = co_await take_counted(client, unread);
  char method = options_.authorization.empty() ? 0 : 2;
  bool offered = methods.find(method) != Bytes::npos;
  co_await say(client, Bytes{5, offered ? method : '\xff'});
  if (!offered) co_return;
  if (method == 2) {
    version = co_await take(client, unread, 1);
    auto user = co_await take_counted(client, unread);
    auto password = co_await take_counted(client, unread);
    bool is_known = user + ":" + password == options_.authorization;
    co_await say(client, Bytes{1, is_known ? '\0' : '\1'});
    if (!is_known) co_return;
  }
  auto request = co_await take(client, unread, 4);
  bool is_name = request[3] == 3;
  auto taking = is_name ? take_counted(client, unread) : take(client, unread, 4);
  auto host = co_await std::move(taking);
  auto port_bytes = co_await take(client, unread, 2);
  auto port = static_cast<unsigned char>(port_bytes[0]) * 256 + static_cast<unsigned char>(port_bytes[1]);
  asked_.push_back("SOCKS " + (is_name ? host : "an address") + ":" + std::to_string(port));
  auto server = co_await connect_raw(static_cast<std::uint16_t>(port));
  co_await say(client, Bytes{5, server ? '\0' : '\5', 0, 1, 0, 0, 0, 0, 0, 0});
  if (!server) co_return;
  co_await relay(client, *server);
}

}  // namespace keelson::testing
