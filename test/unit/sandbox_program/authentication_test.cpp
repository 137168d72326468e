#include "src/sandbox_program/authentication.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox_program {
namespace {

TEST_CASE("the administrator's token is valid, and any other token has no user") {
  auto administrator = user_of("secret", "secret");
  REQUIRE(administrator);
  CHECK(administrator->name == "kubernetes-admin");
  CHECK(administrator->is_in("system:masters"));

  CHECK_FALSE(user_of("secrex", "secret"));
  CHECK_FALSE(user_of("secre", "secret"));
  CHECK_FALSE(user_of("secretsecret", "secret"));
  CHECK_FALSE(user_of("", "secret"));
  CHECK_FALSE(user_of("kubernetes-admin", "secret"));
}

}  // namespace
}  // namespace keelson::sandbox_program
