// The client through each kind of proxy, and through proxies that reject it.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/support/test_proxy.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

using Asked = std::vector<std::string>;

// A server behind a proxy: with TLS and the cluster's CA, or plain.
struct Behind {
  explicit Behind(TestProxy::Options options, bool tls = true) : proxy(fixture.loop.executor(), std::move(options)) {
    net::HttpServerOptions server_options;
    if (tls) server_options.tls = server_tls(authority.issue_for_loopback());
    server = fixture.server(echo, std::move(server_options));
    server->start();
    origin = {tls, "localhost", std::to_string(server->port())};
  }
  ~Behind() {
    fixture.loop.run_real(proxy.stop());
    fixture.loop.run_real(server->stop(0s));
  }

  std::unique_ptr<net::HttpClient> client(const std::string& scheme, const std::string& user = "") {
    net::ClientOptions options;
    options.origin = origin;
    options.tls.ca_pem = authority.certificate_pem();
    auto url = scheme + "://" + user + "127.0.0.1:" + std::to_string(proxy.port());
    options.proxy = net::parse_proxy_url(url, "HTTPS_PROXY").value();
    return net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();
  }
  // Another CA signed the proxy's certificate; it is trusted in addition to the cluster's.
  std::unique_ptr<net::HttpClient> client_over_tls(const Authority& corporate) {
    net::ClientOptions options;
    options.origin = origin;
    options.tls.ca_pem = authority.certificate_pem() + corporate.certificate_pem();
    options.proxy = net::parse_proxy_url("https://127.0.0.1:" + std::to_string(proxy.port()), "x").value();
    return net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();
  }
  [[nodiscard]] std::string address() const { return "localhost:" + origin.port; }

  NetFixture fixture;
  Authority authority;
  TestProxy proxy;
  std::unique_ptr<net::HttpServer> server;
  net::Origin origin;
};

// The error of a client whose http proxy replies `text` to CONNECT.
std::string told(const std::string& text, const std::string& user = "") {
  NetFixture fixture;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    auto request = co_await connection.read_request();
    co_await connection.write(text);
  });
  net::ClientOptions options;
  options.origin = {true, "api", "6443"};
  options.tls.ca_pem = "";
  auto url = "http://" + user + "127.0.0.1:" + std::to_string(peer.port());
  options.proxy = net::parse_proxy_url(url, "proxy-url of kubeconfig /k").value();
  auto client = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();
  auto outcome = ask(fixture, *client);
  fixture.loop.run_real(peer.stop());
  auto port = std::to_string(peer.port());
  return outcome.replace(outcome.find(port), port.size(), "PORT");
}

}  // namespace

TEST_CASE("an HTTPS server is reached through a tunnel of an http proxy, and its connection is reused") {
  Behind world({});
  auto client = world.client("http");

  CHECK(ask(world.fixture, *client) == "GET /x ");
  CHECK(ask(world.fixture, *client, post("body")) == "POST / body");
  CHECK(world.proxy.asked() == Asked{"CONNECT " + world.address()});
}

TEST_CASE("a large body passes through TLS within TLS in both directions") {
  Authority corporate;
  Behind world({.tls = corporate.issue_for_loopback()});
  auto client = world.client_over_tls(corporate);
  const std::string body(3'000'000, 'b');

  CHECK(ask(world.fixture, *client, post(body)) == "POST / " + body);
  CHECK(ask(world.fixture, *client) == "GET /x ");
  CHECK(world.proxy.asked() == Asked{"CONNECT " + world.address()});
}

TEST_CASE("an https proxy whose certificate is not trusted is an error that names the proxy") {
  Authority untrusted;
  Behind world({.tls = untrusted.issue_for_loopback()});
  auto client = world.client("https");

  auto outcome = ask(world.fixture, *client);

  CHECK(outcome.starts_with("proxy https://127.0.0.1:" + std::to_string(world.proxy.port()) +
                            " (HTTPS_PROXY): tls: failed to verify certificate: x509: "));
  CHECK(world.proxy.asked().empty());
}

TEST_CASE("the server's certificate is verified through a tunnel as without a tunnel") {
  Behind world({});
  world.origin.host = "elsewhere";  // the proxy connects to this machine for every name
  auto client = world.client("http");

  auto outcome = ask(world.fixture, *client);

  CHECK(outcome.starts_with("through proxy http://127.0.0.1:" + std::to_string(world.proxy.port()) +
                            " (HTTPS_PROXY): tls: failed to verify certificate: x509: "));
}

TEST_CASE("the client sends the user and password of the URL to the proxy") {
  Behind world({.authorization = "Basic bWU6c2U6Y3JldA=="});
  auto client = world.client("http", "me:se%3Acret@");
  auto wrong_password = world.client("http", "you:se%3Acret@");

  CHECK(ask(world.fixture, *client) == "GET /x ");
  CHECK(ask(world.fixture, *wrong_password).find("it rejects the user and password of HTTPS_PROXY") !=
        std::string::npos);
}

TEST_CASE("the client sends a password without a user to the proxy") {
  Behind token({.authorization = "Basic OnB3"});
  Behind forwarding({.authorization = "Basic OnB3"}, false);

  CHECK(ask(token.fixture, *token.client("http", ":pw@")) == "GET /x ");
  CHECK(ask(forwarding.fixture, *forwarding.client("http", ":pw@")) == "GET http://" + forwarding.address() + "/x ");
}

TEST_CASE("a request to a server without TLS is forwarded by the proxy with its whole URL") {
  Behind world({.authorization = "Basic bWU6cHc="}, false);
  auto client = world.client("http", "me:pw@");

  CHECK(ask(world.fixture, *client) == "GET http://" + world.address() + "/x ");
  CHECK(world.proxy.asked() == Asked{"GET http://" + world.address() + "/x"});
}

TEST_CASE("SOCKS proxies resolve names themselves and authenticate users") {
  for (const auto* scheme : {"socks5", "socks5h"}) {
    Behind world({.speaks = TestProxy::Speaks::kSocks5});
    auto client = world.client(scheme);
    CHECK(ask(world.fixture, *client) == "GET /x ");
    CHECK(world.proxy.asked() == Asked{"SOCKS " + world.address()});
  }
  Behind closed({.speaks = TestProxy::Speaks::kSocks5, .authorization = "me:pw"});
  auto known = closed.client("socks5", "me:pw@");
  auto wrong = closed.client("socks5", "me:no@");
  auto nobody = closed.client("socks5");

  CHECK(ask(closed.fixture, *known) == "GET /x ");
  CHECK(ask(closed.fixture, *wrong)
            .ends_with("socks: username/password authentication failed; correct them in HTTPS_PROXY"));
  CHECK(
      ask(closed.fixture, *nobody)
          .ends_with(
              "socks: no acceptable authentication methods; write socks5://USER:PASSWORD@HOST:PORT into HTTPS_PROXY"));
}

TEST_CASE("a SOCKS proxy gets an IP address as an address, and a server without TLS works too") {
  Behind world({.speaks = TestProxy::Speaks::kSocks5}, false);
  world.origin.host = "127.0.0.1";
  auto client = world.client("socks5");

  CHECK(ask(world.fixture, *client) == "GET /x ");
  CHECK(world.proxy.asked() == Asked{"SOCKS an address:" + world.origin.port});
}

TEST_CASE("an error of a proxy names the proxy and a remedy") {
  const std::string who = "proxy http://127.0.0.1:PORT (proxy-url of kubeconfig /k): ";
  const std::string connect = who + "CONNECT api:6443: ";

  CHECK(told("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n") ==
        connect +
            "the proxy answers 407; it requires a user: write http://USER:PASSWORD@HOST:PORT into proxy-url of "
            "kubeconfig /k");
  CHECK(told("HTTP/1.1 407 No\r\n\r\n", "me:pw@") ==
        "proxy http://me:xxxxx@127.0.0.1:PORT (proxy-url of kubeconfig /k): CONNECT api:6443: the proxy answers 407; "
        "it rejects the user and password of proxy-url of kubeconfig /k");
  CHECK(told("HTTP/1.1 403 Forbidden\r\n\r\n") ==
        connect + "the proxy answers 403; the proxy must allow CONNECT to api:6443");
  CHECK(told("HTTP/1.1 502 Bad Gateway\r\n\r\n") == connect + "the proxy answers 502; the proxy cannot reach api:6443");
  CHECK(told("") == connect + "EOF");
  CHECK(told("SSH-2.0\r\n\r\n").starts_with(connect + "malformed HTTP"));
  CHECK(told("HTTP/1.0 200 Connection established\r\nX: y\r\n\r\n").starts_with("through proxy http://"));
  CHECK(told("HTTP/1.1 200 OK\r\n\r\nhello") == connect + "the proxy sent unexpected data after its reply");
}

TEST_CASE("the error for a proxy that does not listen names the proxy") {
  NetFixture fixture;
  std::uint16_t port = 0;
  {
    RawPeer gone(fixture.loop.executor(), [](RawConnection&) -> asio::awaitable<void> { co_return; });
    port = gone.port();
    fixture.loop.run_real(gone.stop());
  }
  net::ClientOptions options;
  options.origin = {true, "api", "6443"};
  options.proxy = net::parse_proxy_url("socks5://127.0.0.1:" + std::to_string(port), "https_proxy").value();
  auto client = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();

  auto address = "127.0.0.1:" + std::to_string(port);
  CHECK(ask(fixture, *client) ==
        "proxy socks5://" + address + " (https_proxy): dial tcp " + address + ": connect: connection refused");
}

TEST_CASE("the client times out on a proxy that never answers") {
  NetFixture fixture;
  async::Notify asked;
  RawPeer silent(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    auto request = co_await connection.read_request();
    asked.notify_all();
    auto rest = co_await connection.read_to_end();
  });
  net::ClientOptions options;
  options.origin = {true, "api", "6443"};
  options.proxy = net::parse_proxy_url("http://127.0.0.1:" + std::to_string(silent.port()), "HTTPS_PROXY").value();
  auto client = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();
  std::string outcome;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    async::TaskGroup group(fixture.loop.executor());
    auto advance = [](async::Notify& heard, sandbox::loop::VirtualClock& clock) -> asio::awaitable<void> {
      co_await heard.wait();
      clock.advance(30s);
    };
    group.spawn(advance(asked, fixture.loop.clock()));
    auto answer = co_await client->send(get(), {});
    outcome = answer.error().text;
    co_await group.join();
    co_await silent.stop();
  });

  CHECK(outcome.ends_with("(HTTPS_PROXY): tunnel to api:6443: no answer within 30s"));
}

TEST_CASE("a stream that is being opened during end_streams fails") {
  NetFixture fixture;
  net::HttpClient* opening = nullptr;
  RawPeer peer(fixture.loop.executor(), [&](RawConnection& connection) -> asio::awaitable<void> {
    auto greeting = co_await connection.read_some();
    opening->end_streams();
    co_await connection.write(std::string("\x05\x00", 2));
    auto connect = co_await connection.read_some();
    co_await connection.write(std::string("\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10));
    auto request = co_await connection.read_request();
    co_await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  net::ClientOptions options;
  options.origin = {false, "api", "8080"};
  options.proxy = net::parse_proxy_url("socks5://127.0.0.1:" + std::to_string(peer.port()), "HTTPS_PROXY").value();
  auto client = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), std::move(options)).value();
  opening = client.get();
  std::string outcome = "open";

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get(), {});
    if (!stream) outcome = stream.error().text;
    co_await peer.stop();
  });

  CHECK(outcome.ends_with("all streams were ended while this one was opening"));
}

TEST_CASE("end_streams ends streams immediately, also in TLS within TLS") {
  Authority corporate;
  Behind world({.tls = corporate.issue_for_loopback()});
  async::Notify never;
  int cancelled = 0;
  auto watch = [&](net::Request) -> asio::awaitable<net::ServerReply> { co_return endless(never, cancelled); };
  auto server = world.fixture.server(watch, {.tls = server_tls(world.authority.issue_for_loopback())});
  server->start();
  world.origin.port = std::to_string(server->port());
  auto client = world.client_over_tls(corporate);
  std::string text;

  world.fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get(), {});
    REQUIRE(stream);
    std::string buffer(100, '\0');
    auto first = co_await (*stream)->read_some(buffer);
    REQUIRE(first);
    client->end_streams();
    text = co_await read_all(**stream);
    co_await server->stop(0s);
  });

  CHECK(text.ends_with("unexpected EOF"));
}
