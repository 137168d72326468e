#include "keelson/detail/tls/memory_certificate.hpp"

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <catch2/catch_test_macros.hpp>
#include <ctime>

#include "test/support/result_of.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

struct RecordingUser final : tls::CertificateUser {
  Result<void> use(tls::ServerTls tls) override {
    used.push_back(std::move(tls));
    if (failures == 0) return {};
    --failures;
    return transport_error("error listening on :8443");
  }
  void wait_because(const Error&) override {}

  std::vector<tls::ServerTls> used;
  int failures = 0;
};

struct ServedMemoryCertificate : NetFixture {
  metrics::Registry registry;
  RecordingUser user;
  std::unique_ptr<async::Runnable> certificate = tls::make_memory_certificate(
      loop.executor(), loop.clock(), Logger(sink), registry, {"localhost", "127.0.0.1"}, user);

  Result<void> start() { return result_of(loop, certificate->start()); }
};

struct Validity {
  async::WallTime from;
  async::WallTime until;
};

async::WallTime time_of(const ASN1_TIME* time) {
  std::tm parts{};
  REQUIRE(::ASN1_TIME_to_tm(time, &parts) == 1);
  return async::WallTime(std::chrono::seconds(::timegm(&parts)));
}

Validity validity_of(const std::string& pem) {
  std::unique_ptr<BIO, int (*)(BIO*)> bio(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), ::BIO_free);
  std::unique_ptr<X509, void (*)(X509*)> leaf(::PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), ::X509_free);
  REQUIRE(leaf);
  return {time_of(::X509_get0_notBefore(leaf.get())), time_of(::X509_get0_notAfter(leaf.get()))};
}

}  // namespace

TEST_CASE("the in-memory certificate is available immediately and is renewed long before it expires") {
  ServedMemoryCertificate fixture;
  REQUIRE(fixture.start().has_value());
  REQUIRE(fixture.user.used.size() == 1);

  for (int day = 0; day < 400; ++day) {
    fixture.loop.clock().advance(24h);
    fixture.loop.poll();
  }

  REQUIRE(fixture.user.used.size() == 3);
  CHECK(fixture.user.used[0].certificate_pem != fixture.user.used[1].certificate_pem);
  CHECK(fixture.user.used[0].key_pem != fixture.user.used[1].key_pem);
  CHECK(fixture.user.used[0].client_ca_pem.empty());
  fixture.loop.run(fixture.certificate->stop());
}

TEST_CASE("the in-memory certificate is valid for a year, and for clients whose clock is a day behind") {
  ServedMemoryCertificate fixture;
  auto made_at = fixture.loop.clock().wall_now();
  REQUIRE(fixture.start().has_value());

  auto valid = validity_of(fixture.user.used[0].certificate_pem);

  CHECK(valid.from == made_at - 24h);
  CHECK(valid.until == made_at + 24h * 365);
  fixture.loop.run(fixture.certificate->stop());
}

TEST_CASE("the source of an in-memory certificate does not start if the server cannot listen") {
  ServedMemoryCertificate fixture;
  fixture.user.failures = 1;

  CHECK(fixture.start().error().text == "error listening on :8443");
  fixture.loop.run(fixture.certificate->stop());
}

TEST_CASE("a renewal that fails is logged and tried again a minute later") {
  ServedMemoryCertificate fixture;
  REQUIRE(fixture.start().has_value());
  fixture.user.failures = 1;

  for (int day = 0; day < 200; ++day) {
    fixture.loop.clock().advance(24h);
    fixture.loop.poll();
  }

  CHECK(fixture.user.used.size() == 3);
  CHECK(fixture.sink.count("failed to renew the certificate in memory") == 1);
  fixture.loop.run(fixture.certificate->stop());
}
