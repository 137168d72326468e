#include "keelson/detail/tls/signing_key.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::tls {
namespace {

TEST_CASE("a signature verifies its text and no other") {
  auto key = SigningKey::make();
  REQUIRE(key);
  auto signature = key->sign("a text");
  REQUIRE(signature);

  CHECK(signature->size() == 64);
  CHECK(key->verifies("a text", *signature));
  CHECK_FALSE(key->verifies("a tex", *signature));
  CHECK_FALSE(key->verifies("a text", ""));
  CHECK_FALSE(key->verifies("a text", std::string(64, '\0')));
  CHECK_FALSE(key->verifies("a text", std::string(64, '\xff')));
  for (std::size_t i = 0; i < signature->size(); ++i) {
    auto changed = *signature;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(key->verifies("a text", changed));
  }
  auto other = SigningKey::make();
  REQUIRE(other);
  CHECK_FALSE(other->verifies("a text", *signature));
}

TEST_CASE("a signing key survives a round trip through PEM") {
  auto key = SigningKey::make();
  REQUIRE(key);
  auto again = SigningKey::from_pem(key->pem());
  REQUIRE(again);

  auto signature = again->sign("a text");
  REQUIRE(signature);
  CHECK(key->verifies("a text", *signature));
  CHECK(again->public_der() == key->public_der());
  CHECK(key->public_der().size() == 91);
}

TEST_CASE("a text that is not an EC P-256 key is rejected as a signing key") {
  CHECK_FALSE(SigningKey::from_pem(""));
  CHECK_FALSE(SigningKey::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"));
  // Ed25519, from RFC 8410.
  CHECK_FALSE(
      SigningKey::from_pem("-----BEGIN PRIVATE KEY-----\n"
                           "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
                           "-----END PRIVATE KEY-----\n"));
}

}  // namespace
}  // namespace keelson::tls
