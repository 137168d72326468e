// TLS over a connection that the peer has reset.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

TEST_CASE("a TLS write on a connection that was reset fails immediately") {
  NetFixture fixture;
  Authority authority;
  bool has_read = false;
  auto reads_some = [&](RawConnection& connection) -> asio::awaitable<void> {
    auto some = co_await connection.read_some();
    has_read = !some.empty();
  };
  RawPeer peer(fixture.loop.executor(), reads_some, authority.issue_for_loopback(), RawClosing::kReset);
  auto client = fixture.tls_client(peer.port(), authority);
  std::optional<Result<net::Response>> answer;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    // More than the buffers of both sockets: the write waits, and the reset wakes it.
    auto sent = co_await client->send(post(std::string(std::size_t{32} << 20, 'x')), {});
    answer.emplace(std::move(sent));
    co_await peer.stop();
  });

  CHECK(has_read);
  REQUIRE_FALSE(answer->has_value());
  CHECK(answer->error().kind == Error::Kind::kTransport);
  INFO(answer->error().text);
  bool says_why = answer->error().text.find("reset by peer") != std::string::npos ||
                  answer->error().text.find("broken pipe") != std::string::npos;
  CHECK(says_why);
}
