#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/base/limits.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

// A TLS server that echoes, stopped with its scope.
struct TlsServer {
  TlsServer(NetFixture& f, tls::ServerTls tls) : fixture(f), server(f.server(echo, {.tls = std::move(tls)})) {
    server->start();
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;
  ~TlsServer() { fixture.loop.run_real(server->stop(0s)); }

  std::string ask_with(tls::TlsOptions tls, std::string host = "127.0.0.1") {
    net::ClientOptions options;
    options.origin.host = std::move(host);
    options.tls = std::move(tls);
    auto client = fixture.client(server->port(), std::move(options));
    return ask(fixture, *client);
  }

  NetFixture& fixture;
  std::unique_ptr<net::HttpServer> server;
};

// Called at each turn of the loop for other coroutines.
asio::awaitable<void> count_turns(std::size_t& bytes_since_turn) {
  for (;;) {
    bytes_since_turn = 0;
    co_await sandbox::loop::yield();
  }
}

constexpr const char* kFine = "GET /x ";
const std::string kDistrust = "tls: failed to verify certificate: x509: ";

}  // namespace

TEST_CASE("a certificate is accepted for the names and addresses that it is valid for") {
  NetFixture fixture;
  Authority authority;
  TlsServer server(fixture, server_tls(authority.issue_for_loopback()));
  auto ca = authority.certificate_pem();

  CHECK(server.ask_with({.ca_pem = ca}) == kFine);
  CHECK(server.ask_with({.ca_pem = ca}, "localhost") == kFine);
  CHECK(server.ask_with({.ca_pem = ca, .server_name = "localhost"}) == kFine);
  CHECK(server.ask_with({.ca_pem = ca, .server_name = "kubernetes.default"}) ==
        kDistrust + "certificate is valid for localhost, 127.0.0.1, ::1, not kubernetes.default");
}

TEST_CASE("a certificate with the name only in its subject is rejected") {
  NetFixture fixture;
  Authority authority;
  CertificateRequest request;
  request.common_name = "localhost";
  TlsServer server(fixture, server_tls(authority.issue(request)));

  CHECK(server.ask_with({.ca_pem = authority.certificate_pem()}, "localhost") ==
        kDistrust + "certificate is valid for no name or address, not localhost");
}

TEST_CASE("a certificate of an unknown CA is not trusted unless verification is off") {
  NetFixture fixture;
  Authority authority;
  Authority other("other authority");
  TlsServer server(fixture, server_tls(authority.issue_for_loopback()));

  CHECK(server.ask_with({.ca_pem = other.certificate_pem()})
            .starts_with(kDistrust + "certificate signed by unknown authority ("));
  CHECK(server.ask_with({.ca_pem = ""}).starts_with(kDistrust + "certificate signed by unknown authority ("));
  CHECK(server.ask_with({.ca_pem = other.certificate_pem() + authority.certificate_pem()}) == kFine);
  CHECK(server.ask_with({.ca_pem = "", .insecure_skip_verify = true}) == kFine);
}

TEST_CASE("the certificate of the server itself may be the root") {
  NetFixture fixture;
  Authority authority;
  auto pair = authority.issue_for_loopback();
  TlsServer server(fixture, server_tls(pair));

  CHECK(server.ask_with({.ca_pem = pair.certificate_pem}) == kFine);
}

TEST_CASE("expired and future certificates are rejected") {
  NetFixture fixture;
  Authority authority;
  CertificateRequest request;
  request.addresses = {"127.0.0.1"};
  for (auto [from, until] : {std::pair{-48h, -24h}, std::pair{24h, 48h}}) {
    request.valid_from = from;
    request.valid_until = until;
    TlsServer server(fixture, server_tls(authority.issue(request)));
    CHECK(server.ask_with({.ca_pem = authority.certificate_pem()})
              .starts_with(kDistrust + "certificate has expired or is not yet valid: "));
  }
}

TEST_CASE("a server with a client CA serves only clients with a certificate of that CA") {
  NetFixture fixture;
  Authority authority;
  Authority other("other authority");
  auto tls = server_tls(authority.issue_for_loopback());
  tls.client_ca_pem = authority.certificate_pem();
  TlsServer server(fixture, tls);
  auto ca = authority.certificate_pem();
  auto known = authority.issue({.common_name = "known"});
  auto stranger = other.issue({.common_name = "stranger"});

  CHECK(server.ask_with({.ca_pem = ca, .certificate_pem = known.certificate_pem, .key_pem = known.key_pem}) == kFine);
  auto without = server.ask_with({.ca_pem = ca});
  CHECK(without.find("certificate required") != std::string::npos);
  auto rejected =
      server.ask_with({.ca_pem = ca, .certificate_pem = stranger.certificate_pem, .key_pem = stranger.key_pem});
  CHECK(rejected.find("unknown ca") != std::string::npos);
  CHECK(fixture.sink.count("http: TLS handshake error") == 2);
}

TEST_CASE("a new certificate is used for new connections, existing ones continue, and an invalid one changes nothing") {
  NetFixture fixture;
  Authority before("before");
  Authority after("after");
  TlsServer server(fixture, server_tls(before.issue_for_loopback()));
  auto old_client = fixture.tls_client(server.server->port(), before);
  CHECK(ask(fixture, *old_client) == kFine);

  CHECK_FALSE(server.server->set_tls({"nonsense", "nonsense", ""}).has_value());
  CHECK(server.ask_with({.ca_pem = before.certificate_pem()}) == kFine);
  CHECK(server.server->set_tls(server_tls(after.issue_for_loopback())).has_value());

  CHECK(server.ask_with({.ca_pem = after.certificate_pem()}) == kFine);
  CHECK(server.ask_with({.ca_pem = before.certificate_pem()}).starts_with(kDistrust));
  CHECK(ask(fixture, *old_client) == kFine);
  old_client->close_idle();
  CHECK(ask(fixture, *old_client).starts_with(kDistrust));
}

TEST_CASE("the errors for HTTP to a TLS port and for TLS to an HTTP port are clear") {
  NetFixture fixture;
  Authority authority;
  TlsServer secure(fixture, server_tls(authority.issue_for_loopback()));
  auto plain_client = fixture.plain_client(secure.server->port());
  auto plain = fixture.server(echo);
  plain->start();
  auto tls_client = fixture.tls_client(plain->port(), authority);

  auto against_secure = ask(fixture, *plain_client);
  auto against_plain = ask(fixture, *tls_client);

  CHECK_FALSE(against_secure.empty());
  CHECK(against_secure != kFine);
  CHECK(against_plain.starts_with("tls: handshake with 127.0.0.1:"));
  fixture.loop.run_real(plain->stop(0s));
}

TEST_CASE("a handshake that does not end times out on both sides") {
  NetFixture fixture;
  Authority authority;
  RawPeer silent(fixture.loop.executor(),
                 [](RawConnection& peer) -> asio::awaitable<void> { co_await peer.read_to_end(); });
  auto client = fixture.tls_client(silent.port(), authority);
  TlsServer server(fixture, server_tls(authority.issue_for_loopback()));
  async::TaskGroup group(fixture.loop.executor());
  std::string outcome;
  std::string server_said = "?";
  auto send = [&]() -> asio::awaitable<void> {
    auto answer = co_await client->send(get(), {});
    outcome = answer.error().text;
  };
  auto wait = [&]() -> asio::awaitable<void> {
    auto raw = co_await connect_raw(server.server->port());
    server_said = co_await raw->read_to_end();
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    group.spawn(send());
    group.spawn(wait());
    co_await fixture.settle();
    fixture.loop.clock().advance(10s);
    co_await fixture.settle();
    fixture.loop.clock().advance(22s);
    co_await group.join();
    co_await silent.stop();
  });

  CHECK(outcome.ends_with("TLS handshake with 127.0.0.1:" + std::to_string(silent.port()) + ": no answer within 10s"));
  CHECK(server_said.empty());
}

TEST_CASE("invalid certificates are rejected when the client is constructed") {
  NetFixture fixture;
  Authority authority;
  auto one = authority.issue_for_loopback();
  auto two = authority.issue_for_loopback();
  auto rejection = [&](tls::TlsOptions tls) {
    net::ClientOptions options;
    options.origin = {true, "127.0.0.1", "1"};
    options.tls = std::move(tls);
    auto made = net::make_http_client(fixture.loop.executor(), fixture.loop.clock(), options);
    return made ? "" : made.error().text;
  };

  CHECK(rejection({.ca_pem = "nonsense"}) == "unable to load root certificates: unable to parse bytes as PEM block");
  CHECK(
      rejection({.ca_pem = "", .certificate_pem = one.certificate_pem}).starts_with("could not load client key/cert"));
  CHECK(rejection({.ca_pem = "", .certificate_pem = one.certificate_pem, .key_pem = two.key_pem}) ==
        "tls: private key does not match public key");
  CHECK(rejection({.ca_pem = "", .certificate_pem = "x", .key_pem = "y"})
            .starts_with("tls: failed to find any PEM data"));
}

TEST_CASE("without a CA the system's bundle is read from SSL_CERT_FILE and SSL_CERT_DIR") {
  NetFixture fixture;
  Authority in_file("in file");
  Authority in_directory("in directory");
  const TemporaryFolder folder;
  const auto bundle = folder.write("bundle.pem", in_file.certificate_pem());
  folder.write("certs/a.pem", in_directory.certificate_pem());
  ::setenv("SSL_CERT_FILE", bundle.c_str(), 1);
  ::setenv("SSL_CERT_DIR", ("/nowhere:" + folder.file("certs")).c_str(), 1);
  TlsServer first(fixture, server_tls(in_file.issue_for_loopback()));
  TlsServer second(fixture, server_tls(in_directory.issue_for_loopback()));

  CHECK(first.ask_with({}) == kFine);
  CHECK(second.ask_with({}) == kFine);

  ::unsetenv("SSL_CERT_DIR");
  ::unsetenv("SSL_CERT_FILE");
  CHECK(first.ask_with({}).starts_with(kDistrust));
}

TEST_CASE("large bodies pass through TLS in both directions") {
  NetFixture fixture;
  Authority authority;
  TlsServer server(fixture, server_tls(authority.issue_for_loopback()));
  auto client = fixture.tls_client(server.server->port(), authority);
  std::string body(std::size_t{3} << 20, 'y');

  CHECK(ask(fixture, *client, post(body)) == "POST / " + body);
}

TEST_CASE("a TLS peer that is always ahead of its reader does not block the loop") {
  NetFixture fixture;
  Authority authority;
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  auto send_much = [](RawConnection& connection) -> asio::awaitable<void> {
    co_await connection.read_request();
    co_await connection.write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kBytes) + "\r\n\r\n");
    co_await connection.write(std::string(kBytes, 'z'));
  };
  RawPeer peer(fixture.loop.executor(), send_much, authority.issue_for_loopback());
  auto client = fixture.tls_client(peer.port(), authority);
  std::size_t since_turn = 0;
  std::size_t most = 0;
  std::size_t read = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client->open(get(), {});
    async::TaskGroup others(fixture.loop.executor());
    others.spawn(count_turns(since_turn));
    // The peer fills all buffers of the connection before the read begins.
    co_await fixture.settle();
    std::vector<char> buffer(limits::kReadBytes);
    while (read < kBytes) {
      auto got = co_await (*stream)->read_some(buffer);
      read += got.value();
      since_turn += *got;
      most = std::max(most, since_turn);
    }
    others.stop();
    co_await others.join();
    co_await peer.stop();
  });

  CHECK(read == kBytes);
  CHECK(most <= limits::kDecodeSliceBytes + 2 * limits::kReadBytes);
}
