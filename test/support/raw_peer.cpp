#include "test/support/raw_peer.hpp"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdlib>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/tls/context.hpp"
#include "src/net/listener.hpp"
#include "src/net/transport.hpp"

namespace keelson::testing {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

class RawConnectionOver final : public RawConnection {
 public:
  explicit RawConnectionOver(std::unique_ptr<net::Connection> connection) : connection_(std::move(connection)) {}

  asio::awaitable<std::string> read_request() override {
    std::string text;
    std::size_t wanted = std::string::npos;
    while (text.size() < wanted) {
      auto more = co_await read_some();
      if (more.empty()) break;
      text += more;
      auto end = text.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      auto length = text.find("Content-Length: ");
      wanted = end + 4;
      if (length < end) wanted += std::strtoul(text.c_str() + length + 16, nullptr, 10);
    }
    co_return text;
  }

  asio::awaitable<std::string> read_some() override {
    std::string buffer(4096, '\0');
    auto got = co_await connection_->read_some(buffer);
    buffer.resize(got ? *got : 0);
    co_return buffer;
  }

  asio::awaitable<std::string> read_to_end() override {
    std::string text;
    for (;;) {
      auto more = co_await read_some();
      if (more.empty()) co_return text;
      text += more;
    }
  }

  asio::awaitable<bool> write(std::string text) override {
    auto wrote = co_await connection_->write_all(text);
    co_return wrote.has_value();
  }

 private:
  std::unique_ptr<net::Connection> connection_;
};

}  // namespace

struct RawPeer::State {
  State(asio::any_io_executor executor, RawScript s, RawClosing c)
      : clock(async::make_real_clock(executor)), script(std::move(s)), closing(c), group(executor) {}

  asio::awaitable<void> accept_all() {
    for (;;) {
      auto socket = co_await listener->accept();
      if (!socket) co_return;
      ++accepted;
      group.spawn(serve(std::move(*socket)));
    }
  }

  asio::awaitable<void> serve(tcp::socket socket) {
    if (closing == RawClosing::kReset) socket.set_option(asio::socket_base::linger(true, 0));
    std::unique_ptr<net::Connection> connection;
    if (tls) {
      auto shaken = co_await net::handshake_as_server(*clock, std::move(socket), tls);
      if (!shaken) co_return;
      connection = std::move(*shaken);
    } else {
      connection = net::make_plain_connection(std::move(socket));
    }
    RawConnectionOver raw(std::move(connection));
    co_await script(raw);
  }

  std::unique_ptr<async::Clock> clock;
  RawScript script;
  RawClosing closing;
  net::TlsContext tls;
  std::unique_ptr<net::Listener> listener;
  std::uint16_t port = 0;
  int accepted = 0;
  async::TaskGroup group;
};

RawPeer::RawPeer(asio::any_io_executor executor, RawScript script, std::optional<KeyPair> tls, RawClosing closing)
    : state_(std::make_unique<State>(executor, std::move(script), closing)) {
  if (tls) state_->tls = tls::make_server_context({tls->certificate_pem, tls->key_pem, ""}).value();
  state_->listener = net::Listener::bind(executor, "127.0.0.1", 0).value();
  state_->port = state_->listener->port();
  state_->group.spawn(state_->accept_all());
}

RawPeer::~RawPeer() = default;

std::uint16_t RawPeer::port() const { return state_->port; }
int RawPeer::accepted() const { return state_->accepted; }

asio::awaitable<void> RawPeer::stop() {
  state_->group.stop();
  co_await state_->group.join();
}

asio::awaitable<std::unique_ptr<RawConnection>> connect_raw(std::uint16_t port) {
  auto executor = co_await asio::this_coro::executor;
  tcp::socket socket(executor);
  tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  auto [rejected] = co_await socket.async_connect(endpoint, asio::as_tuple(asio::use_awaitable));
  if (rejected) co_return nullptr;
  std::unique_ptr<RawConnection> raw =
      std::make_unique<RawConnectionOver>(net::make_plain_connection(std::move(socket)));
  co_return raw;
}

}  // namespace keelson::testing
