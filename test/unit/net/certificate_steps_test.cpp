#include "src/net/certificate_steps.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson;
using namespace std::chrono_literals;
using net::CertificateSteps;
using Say = CertificateSteps::Say;

namespace {

Result<net::ServerTls> pair_of(const std::string& text) { return net::ServerTls{text, text, ""}; }
Result<net::ServerTls> missing() { return invalid("open tls.crt: no such file or directory"); }

struct Steps {
  // A read with the result `found`; using a new pair has the result `outcome`.
  CertificateSteps::Verdict look(const Result<net::ServerTls>& found, const Result<void>& outcome = {}) {
    Result<void> used;
    if (!found) used = found.error();
    if (steps.is_new(found)) used = outcome;
    return steps.settle(found, used);
  }
  CertificateSteps steps;
};

}  // namespace

TEST_CASE("missing files are logged once and read again every second") {
  Steps steps;

  auto first = steps.look(missing());
  auto second = steps.look(missing());
  auto found = steps.look(pair_of("a"));

  CHECK(first.say == Say::kWaiting);
  CHECK(first.is_error);
  CHECK(first.again == 1s);
  CHECK(second.say == Say::kNothing);
  CHECK(found.say == Say::kServing);
  CHECK(found.again == 10s);
}

TEST_CASE("an unchanged pair is not used again, a changed one is") {
  Steps steps;
  CHECK(steps.look(pair_of("a")).say == Say::kServing);

  CHECK_FALSE(steps.steps.is_new(pair_of("a")));
  CHECK(steps.look(pair_of("a")).say == Say::kNothing);
  CHECK(steps.look(pair_of("b")).say == Say::kReloaded);
  CHECK_FALSE(steps.steps.is_new(pair_of("b")));
}

TEST_CASE("an invalid pair and removed files are errors, and the former pair stays in service") {
  Steps steps;
  CHECK(steps.look(pair_of("a")).say == Say::kServing);

  auto bad = steps.look(pair_of("bad"), invalid("tls: private key does not match public key"));
  auto still_bad = steps.look(pair_of("bad"), invalid("tls: private key does not match public key"));
  auto gone = steps.look(missing());
  auto back = steps.look(pair_of("a"));

  CHECK(bad.say == Say::kFailed);
  CHECK(bad.again == 1s);
  CHECK(still_bad.say == Say::kNothing);
  CHECK(still_bad.is_error);
  CHECK(gone.say == Say::kFailed);
  CHECK(back.say == Say::kNothing);
  CHECK_FALSE(back.is_error);
}

TEST_CASE("an address in use is not counted as an error of the files, and is tried again every second") {
  Steps steps;
  CHECK(steps.look(missing()).say == Say::kWaiting);
  const Result<void> taken = transport("error listening on :9443: bind: address already in use");

  auto first = steps.look(pair_of("a"), taken);
  auto second = steps.look(pair_of("a"), taken);
  auto free = steps.look(pair_of("a"));

  CHECK(first.say == Say::kCannotListen);
  CHECK_FALSE(first.is_error);
  CHECK(first.again == 1s);
  CHECK(second.say == Say::kNothing);
  CHECK_FALSE(second.is_error);
  CHECK(free.say == Say::kServing);
}

TEST_CASE("a change of the client CA alone makes a pair new") {
  Steps steps;
  CHECK(steps.look(pair_of("a")).say == Say::kServing);

  CHECK(steps.steps.is_new(net::ServerTls{"a", "a", "ca"}));
}
