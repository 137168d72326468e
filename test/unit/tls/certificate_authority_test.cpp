#include "keelson/detail/tls/certificate_authority.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

tls::ServingCertificateRequest request_of(std::vector<std::string> names) {
  tls::ServingCertificateRequest request;
  request.authority_name = "webhook authority";
  request.names = std::move(names);
  // The time of the machine's clock, which TLS uses.
  sandbox::loop::TestLoop loop;
  request.from = loop.real_clock().wall_now() - 1h;
  request.until = request.from + 48h;
  return request;
}

}  // namespace

TEST_CASE("a client that trusts the CA trusts the server for the names in its certificate") {
  NetFixture fixture;
  auto identity = tls::make_serving_certificate(request_of({"webhook.system.svc", "webhook"})).value();
  net::HttpServerOptions options;
  options.tls = tls::ServerTls{identity.certificate_pem, identity.key_pem, ""};
  auto server = fixture.server(echo, std::move(options));
  auto call_as = [&](std::string name) {
    net::ClientOptions client_options;
    client_options.tls.ca_pem = identity.authority_pem;
    client_options.tls.server_name = std::move(name);
    return fixture.client(server->port(), std::move(client_options));
  };

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto good = call_as("webhook.system.svc");
    auto answer = co_await good->send(get("/x"), {});
    CHECK(answer.has_value());
    auto other = call_as("other.system.svc");
    answer = co_await other->send(get("/x"), {});
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.error().text.find("certificate is valid for webhook.system.svc, webhook, not other.system.svc") !=
          std::string::npos);
    co_await server->stop(0s);
  });
}

TEST_CASE("a certificate is valid for addresses too") {
  NetFixture fixture;
  auto identity = tls::make_serving_certificate(request_of({"localhost", "127.0.0.1", "::1"})).value();
  net::HttpServerOptions options;
  options.tls = tls::ServerTls{identity.certificate_pem, identity.key_pem, ""};
  auto server = fixture.server(echo, std::move(options));

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    for (const char* name : {"", "localhost", "::1"}) {
      net::ClientOptions client_options;
      client_options.tls.ca_pem = identity.authority_pem;
      client_options.tls.server_name = name;
      auto client = fixture.client(server->port(), std::move(client_options));
      auto answer = co_await client->send(get("/x"), {});
      INFO(name);
      CHECK(answer.has_value());
    }
    co_await server->stop(0s);
  });
}

TEST_CASE("examine_serving_certificate returns the names and the times to the second") {
  auto request = request_of({"a.b.svc", "a.b"});
  auto facts = tls::examine_serving_certificate(tls::make_serving_certificate(request).value());

  REQUIRE(facts.has_value());
  CHECK(facts->names == request.names);
  CHECK(facts->from == std::chrono::floor<std::chrono::seconds>(request.from));
  CHECK(facts->until == std::chrono::floor<std::chrono::seconds>(request.until));
}

TEST_CASE("the expiry of a certificate is that of the first one, and text without a certificate has none") {
  auto request = request_of({"a"});
  auto identity = tls::make_serving_certificate(request).value();

  CHECK(tls::expiry_of(identity.certificate_pem + identity.authority_pem) ==
        std::chrono::floor<std::chrono::seconds>(request.until));
  CHECK_FALSE(tls::expiry_of("nonsense").has_value());
  CHECK_FALSE(tls::expiry_of("").has_value());
}

TEST_CASE("a certificate that never expires has the latest expiry") {
  auto request = request_of({"a"});
  request.until = async::WallTime::max();
  auto identity = tls::make_serving_certificate(request).value();

  CHECK(tls::expiry_of(identity.certificate_pem) == std::chrono::floor<std::chrono::seconds>(async::WallTime::max()));
}

TEST_CASE("examine_serving_certificate rejects parts that do not match and texts that are not certificates") {
  auto one = tls::make_serving_certificate(request_of({"a"})).value();
  auto other = tls::make_serving_certificate(request_of({"a"})).value();
  auto rejection = [](tls::ServingCertificate identity) {
    auto facts = tls::examine_serving_certificate(identity);
    return facts ? std::string() : facts.error().text;
  };

  CHECK(rejection({one.certificate_pem, other.key_pem, one.authority_pem})
            .starts_with("the key does not match the certificate"));
  CHECK(rejection({one.certificate_pem, one.key_pem, other.authority_pem})
            .starts_with("the authority did not sign the certificate"));
  CHECK(rejection({"", one.key_pem, one.authority_pem}).starts_with("the certificate cannot be read"));
  CHECK(rejection({one.certificate_pem, "x", one.authority_pem}).starts_with("the key cannot be read"));
  CHECK(rejection({one.certificate_pem, one.key_pem, ""}).starts_with("the authority's certificate cannot be read"));
  CHECK(one != other);
}
