// Names with several addresses, some of which do not answer: real sockets and virtual time.
#include "src/net/tcp_connect.hpp"

#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>

#include "src/net/lookups.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;
using asio::ip::tcp;

namespace {

tcp::endpoint loopback(const std::string& address) { return {asio::ip::make_address(address), 0}; }

// Listens and never accepts: once its backlog is full, the kernel does not answer connections.
struct DeadServer {
  explicit DeadServer(const asio::any_io_executor& executor) : acceptor(executor, loopback("127.0.0.2")) {
    acceptor.listen(0);
    auto endpoint = acceptor.local_endpoint();
    for (int i = 0; i < 3; ++i) {
      filling.emplace_back(executor, tcp::v4());
      filling.back().non_blocking(true);
      // Asio's own connect would wait for an answer that never arrives.
      ::connect(filling.back().native_handle(), endpoint.data(), static_cast<socklen_t>(endpoint.size()));
    }
  }
  tcp::acceptor acceptor;
  std::vector<tcp::socket> filling;
};

// "127.0.0.1", or the error's text; null while it is in progress.
using Outcome = std::optional<std::string>;

asio::awaitable<void> connect(NetFixture& fixture, async::Duration limit, Outcome& outcome) {
  auto socket = co_await net::connect_tcp(fixture.loop.clock(), "api", "443", limit);
  outcome = socket ? socket->remote_endpoint().address().to_string() : socket.error().text;
}

}  // namespace

TEST_CASE("an address that does not answer uses its share of the time, and then the next one is tried") {
  struct Row {
    std::size_t dead_addresses;
    async::Duration after;
  };
  const Row rows[] = {{0, 0s}, {1, 2500ms}, {2, 4s}};

  for (const auto& row : rows) {
    INFO(row.dead_addresses);
    NetFixture fixture;
    DeadServer dead(fixture.loop.executor());
    tcp::acceptor good(fixture.loop.executor(), loopback("127.0.0.1"));
    std::vector<tcp::endpoint> endpoints(row.dead_addresses, dead.acceptor.local_endpoint());
    endpoints.push_back(good.local_endpoint());
    net::set_resolver(fixture.loop.executor(), [&](const std::string&, const std::string&, const auto& on_end) {
      asio::post(fixture.loop.executor(), [on_end, endpoints] { on_end({{}, endpoints}); });
    });
    async::TaskGroup group(fixture.loop.executor());
    Outcome outcome;
    auto began = fixture.loop.clock().now();

    fixture.loop.run_real([&]() -> asio::awaitable<void> {
      group.spawn(connect(fixture, 5s, outcome));
      co_await fixture.settle();
      while (!outcome) {
        fixture.loop.clock().advance(500ms);
        co_await fixture.settle();
      }
      co_await group.join();
    });

    CHECK(*outcome == "127.0.0.1");
    CHECK(fixture.loop.clock().now() - began == row.after);
  }
}
