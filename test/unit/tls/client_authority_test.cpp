#include "keelson/detail/tls/client_authority.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/tls/certificate_authority.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

const async::WallTime kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 28)};

tls::ClientAuthority authority_named(const std::string& name, async::WallTime now = kNow) {
  return tls::ClientAuthority::make(name, {now - 1h, now + 48h}).value();
}

std::string error_of(const Result<tls::ClientIdentity>& verified) { return verified ? "" : verified.error().text; }

// `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /O=readers/O=writers/CN=ann
//  -addext subjectAltName=DNS:a.example,IP:10.0.0.1`
constexpr const char* kRequest = R"(-----BEGIN CERTIFICATE REQUEST-----
MIIBGzCBwQIBADAyMRAwDgYDVQQKDAdyZWFkZXJzMRAwDgYDVQQKDAd3cml0ZXJz
MQwwCgYDVQQDDANhbm4wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQDDBUSqgUD
NjkVIKCT2EmSRMWT6TgiuMipP/XqhR8smlAJJflOU7rQMUUnvmYmFQ9kfJwIpws+
nnFbmKoeyR8BoC0wKwYJKoZIhvcNAQkOMR4wHDAaBgNVHREEEzARgglhLmV4YW1w
bGWHBAoAAAEwCgYIKoZIzj0EAwIDSQAwRgIhAJ8MsttHQ40Vh+0qX9VFoFqT3bqd
JvTUC8bOsVBoqM1tAiEA5TsdRYhPaRdH3uLVw/q5hPwRfGqsW+XigGakUrGUvCc=
-----END CERTIFICATE REQUEST-----
)";

// Replies with the number of bytes of the client's certificates.
asio::awaitable<net::ServerReply> tell_certificates(net::Request request) {
  net::ServerReply reply;
  reply.response = net::text_response(200, request.client_certificates ? *request.client_certificates : "none");
  co_return reply;
}

}  // namespace

TEST_CASE("an issued certificate has its subject, until it expires and only for its authority") {
  const auto authority = authority_named("kubernetes");
  const auto issued = authority.issue({"ann", {"readers", "writers"}}, {kNow, kNow + 1h}).value();
  const auto verified = [&](async::WallTime when) {
    return tls::verify_client_certificate(issued.certificate_pem, authority.certificate_pem(), when);
  };

  REQUIRE(verified(kNow).has_value());
  CHECK(verified(kNow)->subject == tls::ClientSubject{"ann", {"readers", "writers"}});
  CHECK(verified(kNow)->digest.size() == 64);
  CHECK(error_of(verified(kNow + 2h)).starts_with("x509: certificate has expired or is not yet valid: "));
  CHECK(error_of(verified(kNow - 1min)).starts_with("x509: certificate has expired or is not yet valid: "));
  const auto foreign = authority_named("kubernetes");
  const auto by_other = tls::verify_client_certificate(issued.certificate_pem, foreign.certificate_pem(), kNow);
  CHECK(error_of(by_other).starts_with("x509: certificate signed by unknown authority"));
  CHECK_FALSE(tls::verify_client_certificate("no certificate", authority.certificate_pem(), kNow).has_value());
}

TEST_CASE("an authority survives as texts, and no certificate outlives it") {
  const auto made = authority_named("kubernetes");
  const auto authority = tls::ClientAuthority::from_pem(made.certificate_pem(), made.key_pem()).value();
  CHECK(authority.validity().until == kNow + 48h);
  const auto issued = authority.issue({"ann", {}}, {kNow, kNow + 1000h}).value();
  CHECK(tls::validity_of(issued.certificate_pem)->until == kNow + 48h);
  CHECK(tls::verify_client_certificate(issued.certificate_pem, made.certificate_pem(), kNow).has_value());
  const auto other = authority_named("kubernetes");
  CHECK_FALSE(tls::ClientAuthority::from_pem(made.certificate_pem(), other.key_pem()).has_value());
  CHECK_FALSE(tls::ClientAuthority::from_pem("", other.key_pem()).has_value());
}

TEST_CASE("a signed request has its subject, and only certificates for clients are accepted") {
  const auto facts = tls::read_certificate_request(kRequest).value();
  CHECK(facts.subject == tls::ClientSubject{"ann", {"readers", "writers"}});
  CHECK(facts.dns_names == 1);
  CHECK(facts.addresses == 1);
  CHECK(facts.emails + facts.uris == 0);

  const auto authority = authority_named("kubernetes");
  const auto signed_for = [&](const tls::ClientAuthority::Usages& usages) {
    const auto pem = authority.sign(kRequest, {kNow, kNow + 1h}, usages).value();
    return tls::verify_client_certificate(pem, authority.certificate_pem(), kNow);
  };
  CHECK(signed_for({.client_auth = true})->subject == facts.subject);
  CHECK(signed_for({.key_encipherment = true, .client_auth = true}).has_value());
  CHECK(error_of(signed_for({.digital_signature = true, .server_auth = true})) ==
        "x509: certificate specifies an incompatible key usage");
}

TEST_CASE("a malformed or changed request for a certificate is rejected") {
  const auto error = [](const std::string& pem) {
    auto read = tls::read_certificate_request(pem);
    return read ? "" : read.error().text;
  };
  CHECK(error("") == "PEM block type must be CERTIFICATE REQUEST");
  CHECK(error(authority_named("a").certificate_pem()) == "PEM block type must be CERTIFICATE REQUEST");
  CHECK(error("-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n") ==
        "asn1: structure error: malformed certificate request");
  std::string changed = kRequest;
  const auto end = changed.find("\n-----END");
  changed[end - 8] = changed[end - 8] == 'A' ? 'B' : 'A';
  CHECK_FALSE(error(changed).empty());
}

TEST_CASE("a server that asks for certificates passes any to its handler, and accepts clients without one") {
  NetFixture fixture;
  const auto now = fixture.loop.real_clock().wall_now();
  const auto authority = authority_named("kubernetes", now);
  const auto foreign = authority_named("kubernetes", now);
  auto identity = tls::make_serving_certificate({"servers", {"localhost"}, now - 1h, now + 48h}).value();
  net::HttpServerOptions options;
  options.tls = tls::ServerTls{identity.certificate_pem, identity.key_pem, authority.certificate_pem(),
                               tls::ClientCertificates::kOptional};
  auto server = fixture.server(tell_certificates, std::move(options));
  const auto client_with = [&](const tls::ClientAuthority::Issued& issued) {
    net::ClientOptions client;
    client.tls.ca_pem = identity.authority_pem;
    client.tls.server_name = "localhost";
    client.tls.certificate_pem = issued.certificate_pem;
    client.tls.key_pem = issued.key_pem;
    return fixture.client(server->port(), std::move(client));
  };
  const auto own = authority.issue({"ann", {}}, {now - 1h, now + 1h}).value();
  const auto other = foreign.issue({"eve", {}}, {now - 1h, now + 1h}).value();

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto first = client_with(own);
    auto with_own = co_await first->send(get("/"), {});
    CHECK(with_own.value().body == own.certificate_pem);
    auto second = client_with(other);
    auto with_other = co_await second->send(get("/"), {});
    CHECK(with_other.value().body == other.certificate_pem);
    auto third = client_with({});
    auto without = co_await third->send(get("/"), {});
    CHECK(without.value().body == "none");
    co_await server->stop(0s);
  });
}
