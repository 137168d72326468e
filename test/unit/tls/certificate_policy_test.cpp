#include "src/tls/certificate_policy.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson;
using namespace std::chrono_literals;
using tls::CertificatePolicy;
using Say = CertificatePolicy::Say;

namespace {

Result<tls::ServerTls> pair_of(const std::string& text) { return tls::ServerTls{text, text, ""}; }
Result<tls::ServerTls> missing() { return invalid_error("open tls.crt: no such file or directory"); }

struct Steps {
  // A read with the result `found`; using a new pair has the result `outcome`.
  CertificatePolicy::Verdict look(const Result<tls::ServerTls>& found, const Result<void>& outcome = {}) {
    Result<void> used;
    if (!found) used = found.error();
    if (policy.is_new(found)) used = outcome;
    return policy.settle(found, used);
  }
  CertificatePolicy policy;
};

}  // namespace

TEST_CASE("missing files are logged once and read again every second") {
  Steps policy;

  auto first = policy.look(missing());
  auto second = policy.look(missing());
  auto found = policy.look(pair_of("a"));

  CHECK(first.say == Say::kWaiting);
  CHECK(first.is_error);
  CHECK(first.again == 1s);
  CHECK(second.say == Say::kNothing);
  CHECK(found.say == Say::kServing);
  CHECK(found.again == 10s);
}

TEST_CASE("a changed pair is used, and an unchanged pair is not loaded again") {
  Steps policy;
  CHECK(policy.look(pair_of("a")).say == Say::kServing);

  CHECK_FALSE(policy.policy.is_new(pair_of("a")));
  CHECK(policy.look(pair_of("a")).say == Say::kNothing);
  CHECK(policy.look(pair_of("b")).say == Say::kReloaded);
  CHECK_FALSE(policy.policy.is_new(pair_of("b")));
}

TEST_CASE("an invalid pair and removed files are errors, and the former pair stays in service") {
  Steps policy;
  CHECK(policy.look(pair_of("a")).say == Say::kServing);

  auto bad = policy.look(pair_of("bad"), invalid_error("tls: private key does not match public key"));
  auto still_bad = policy.look(pair_of("bad"), invalid_error("tls: private key does not match public key"));
  auto gone = policy.look(missing());
  auto back = policy.look(pair_of("a"));

  CHECK(bad.say == Say::kFailed);
  CHECK(bad.again == 1s);
  CHECK(still_bad.say == Say::kNothing);
  CHECK(still_bad.is_error);
  CHECK(gone.say == Say::kFailed);
  CHECK(back.say == Say::kNothing);
  CHECK_FALSE(back.is_error);
}

TEST_CASE("an address in use is not counted as an error of the files, and is tried again every second") {
  Steps policy;
  CHECK(policy.look(missing()).say == Say::kWaiting);
  const Result<void> taken = transport_error("error listening on :9443: bind: address already in use");

  auto first = policy.look(pair_of("a"), taken);
  auto second = policy.look(pair_of("a"), taken);
  auto free = policy.look(pair_of("a"));

  CHECK(first.say == Say::kCannotListen);
  CHECK_FALSE(first.is_error);
  CHECK(first.again == 1s);
  CHECK(second.say == Say::kNothing);
  CHECK_FALSE(second.is_error);
  CHECK(free.say == Say::kServing);
}

TEST_CASE("a change of only the client CA counts as a changed pair") {
  Steps policy;
  CHECK(policy.look(pair_of("a")).say == Say::kServing);

  CHECK(policy.policy.is_new(tls::ServerTls{"a", "a", "ca"}));
}
