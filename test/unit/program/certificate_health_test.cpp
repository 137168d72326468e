#include "src/program/certificate_health.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::program {
namespace {

using namespace std::chrono_literals;

class FakeServer final : public tls::CertificateUser {
 public:
  [[nodiscard]] Result<void> use(tls::ServerTls) override {
    ++uses;
    return {};
  }
  void wait_because(const Error&) override { ++waits; }
  int uses = 0;
  int waits = 0;
};

TEST_CASE("a certificate's work fails since its first failure after the last success") {
  sandbox::loop::TestLoop loop;
  FakeServer server;
  CertificateHealth health(loop.clock(), server);
  const auto first = invalid_error("first");
  const auto second = invalid_error("second");
  CHECK_FALSE(health.problem());

  health.note_attempt(&first);
  const auto since = loop.clock().wall_now();
  loop.clock().advance(10s);
  health.note_attempt(&second);
  REQUIRE(health.problem());
  CHECK(health.problem()->error == "second");
  CHECK(health.problem()->since == since);

  health.note_attempt(nullptr);
  CHECK_FALSE(health.problem());
  loop.clock().advance(10s);
  health.note_attempt(&first);
  CHECK(health.problem()->since == since + 20s);
}

TEST_CASE("the server gets its certificates and reasons to wait as before") {
  sandbox::loop::TestLoop loop;
  FakeServer server;
  CertificateHealth health(loop.clock(), server);

  CHECK(health.use({}).has_value());
  health.wait_because(invalid_error("no file"));

  CHECK(server.uses == 1);
  CHECK(server.waits == 1);
}

}  // namespace
}  // namespace keelson::program
