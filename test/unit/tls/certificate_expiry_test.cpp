// The metric and the log lines of certificates that expire.
#include "keelson/detail/tls/certificate_expiry.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

using namespace keelson;
using namespace keelson::tls;
using namespace std::chrono_literals;

namespace {

constexpr auto kDay = 24h;

std::string certificate_of(async::WallTime from, async::WallTime until) {
  auto made = make_serving_certificate({"test", {"localhost"}, from, until});
  REQUIRE(made);
  return made->certificate_pem;
}

struct Expiry {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  CertificateExpiry expiry{loop.clock(), Logger(sink), registry, "webhook"};
  async::WallTime start = std::chrono::floor<std::chrono::seconds>(loop.clock().wall_now());

  void use(async::Duration life, const std::string& source = "/certs/tls.crt") {
    const auto now = std::chrono::floor<std::chrono::seconds>(loop.clock().wall_now());
    expiry.in_use(certificate_of(now, now + life), source, "renew it");
  }
  // As a server that reads its files every 10 s for `time`, in steps that keep the test quick.
  void pass(async::Duration time, async::Duration step) {
    for (async::Duration passed{}; passed < time; passed += step) {
      loop.clock().advance(step);
      expiry.check();
    }
  }
};

}  // namespace

TEST_CASE("the end of a certificate is exported in Unix time, and its life in seconds") {
  Expiry world;
  CHECK(world.registry.text().find("keelson_certificate") == std::string::npos);

  world.use(90 * kDay);

  const auto of = [&](const char* name) { return world.registry.samples(name).at(0); };
  CHECK(of("keelson_certificate_expiry_seconds").labels == std::vector<std::string>{"webhook"});
  CHECK(of("keelson_certificate_expiry_seconds").value ==
        static_cast<double>((world.start + 90 * kDay).time_since_epoch() / 1s));
  CHECK(of("keelson_certificate_lifetime_seconds").value == 90.0 * 86400);
}

TEST_CASE("a certificate that is not renewed is logged once per threshold, with what renews it") {
  Expiry world;
  world.use(90 * kDay);

  world.pass(82 * kDay, 1h);
  CHECK(world.sink.entries().empty());
  world.pass(2 * kDay, 1min);
  REQUIRE(world.sink.count("A certificate expires soon") == 1);
  const auto line = world.sink.entries()[0];
  CHECK(line.fields.find("use=\"webhook\"") != std::string::npos);
  CHECK(line.fields.find("certificate=\"/certs/tls.crt\"") != std::string::npos);
  CHECK(line.fields.find("remedy=\"renew it\"") != std::string::npos);
  CHECK(line.error.starts_with("it expires at "));
  world.pass(6 * kDay - 1min, 1min);
  CHECK(world.sink.count("A certificate expires soon") == 2);
  CHECK(world.sink.count("A certificate has expired") == 0);
  world.pass(kDay, 1min);
  CHECK(world.sink.count("A certificate has expired") == 1);
  CHECK(world.sink.entries().size() == 3);
}

TEST_CASE("a certificate of an hour that is renewed in time is never logged") {
  Expiry world;

  for (int renewal = 0; renewal < 100; ++renewal) {
    world.use(1h);
    world.pass(40min, 10s);
  }

  CHECK(world.sink.entries().empty());
}

TEST_CASE("a renewed certificate is logged again when it expires") {
  Expiry world;
  world.use(1h);
  world.pass(2h, 1min);
  CHECK(world.sink.count("A certificate has expired") == 1);

  world.use(1h);
  CHECK(world.sink.count("A certificate has expired") == 1);
  world.pass(2h, 1min);

  CHECK(world.sink.count("A certificate has expired") == 2);
}

TEST_CASE("a process that starts with an expired certificate logs it at once, and once") {
  Expiry world;
  const auto pem = certificate_of(world.start - 30 * kDay, world.start - kDay);

  for (int read = 0; read < 5; ++read) world.expiry.in_use(pem, "/certs/tls.crt", "renew it");

  CHECK(world.sink.entries().size() == 1);
  CHECK(world.sink.count("A certificate has expired") == 1);
}

TEST_CASE("a text that is not a certificate changes nothing") {
  Expiry world;
  world.use(90 * kDay);

  world.expiry.in_use("-----BEGIN NONSENSE-----", "/other", "renew it");

  CHECK(world.registry.samples("keelson_certificate_lifetime_seconds").at(0).value == 90.0 * 86400);
  CHECK_FALSE(validity_of(""));
}

TEST_CASE("the thresholds are a fifth and a twentieth of the life, at most 7 days and a day") {
  const async::WallTime from{20000h * 24};
  const auto level = [&](async::Duration life, async::Duration left) {
    return expiry_level({from, from + life}, from + life - left);
  };
  CHECK(level(365 * kDay, 7 * kDay + 1s) == 0);
  CHECK(level(365 * kDay, 7 * kDay) == 1);
  CHECK(level(365 * kDay, kDay) == 2);
  CHECK(level(365 * kDay, 0s) == 3);
  CHECK(level(365 * kDay, -kDay) == 3);
  CHECK(level(10 * kDay, 2 * kDay + 1s) == 0);
  CHECK(level(10 * kDay, 2 * kDay) == 1);
  CHECK(level(10 * kDay, 12h) == 2);
}
