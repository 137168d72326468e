#include "keelson/detail/net/certified_server.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

struct CertifiedServerOnLoopback : NetFixture {
  net::HttpServerOptions on_loopback() {
    net::HttpServerOptions options;
    options.host = "127.0.0.1";
    return options;
  }

  int listening = 0;
  net::CertifiedServer server{loop.executor(), loop.clock(),           Logger(sink), echo,
                              on_loopback(),   [this] { ++listening; }};
};

}  // namespace

TEST_CASE("a certified server listens from its first certificate on, and new connections get the next one") {
  CertifiedServerOnLoopback fixture;
  const Authority first("first authority");
  const Authority second("second authority");
  CHECK(fixture.server.port() == 0);

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    CHECK(fixture.server.use(server_tls(first.issue_for_loopback())).has_value());
    CHECK(fixture.listening == 1);
    auto old_client = fixture.tls_client(fixture.server.port(), first);
    auto answer = co_await old_client->send(get(), {});
    CHECK(answer.has_value());
    CHECK(fixture.server.use(server_tls(second.issue_for_loopback())).has_value());
    answer = co_await old_client->send(get(), {});
    CHECK(answer.has_value());
    auto new_client = fixture.tls_client(fixture.server.port(), second);
    answer = co_await new_client->send(get(), {});
    CHECK(answer.has_value());
    co_await fixture.server.stop(0s);
  });

  CHECK(fixture.listening == 1);
}

TEST_CASE("a certified server rejects an invalid pair and keeps the former one") {
  CertifiedServerOnLoopback fixture;
  const Authority authority;
  CHECK(fixture.server.use({"no certificate", "no key", ""}).error().kind == Error::Kind::kInvalid);
  CHECK(fixture.server.port() == 0);

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    CHECK(fixture.server.use(server_tls(authority.issue_for_loopback())).has_value());
    CHECK_FALSE(fixture.server.use({"no certificate", "no key", ""}).has_value());
    auto client = fixture.tls_client(fixture.server.port(), authority);
    auto answer = co_await client->send(get(), {});
    CHECK(answer.has_value());
    co_await fixture.server.stop(0s);
  });
}

TEST_CASE("a certificate after stop() does not make a certified server listen") {
  CertifiedServerOnLoopback fixture;
  const Authority authority;

  fixture.loop.run_real(fixture.server.stop(0s));

  CHECK(fixture.server.use(server_tls(authority.issue_for_loopback())).has_value());
  CHECK(fixture.server.port() == 0);
}

TEST_CASE("a certified server reports why it waits") {
  CertifiedServerOnLoopback fixture;
  CHECK_FALSE(fixture.server.reason().has_value());

  fixture.server.wait_because(invalid_error("open tls.crt: no such file or directory"));

  CHECK(fixture.server.reason()->text == "open tls.crt: no such file or directory");
}
