#include "src/access/token_form.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/unit/access/tokens.hpp"

using namespace keelson;
using namespace std::chrono_literals;
using access::form_of;
using access::TokenForm;
using testing::base64url;
using testing::jwt;

namespace {

constexpr async::WallTime kNow{1700000000s};

}  // namespace

TEST_CASE("a JWT is three parts in base64url, the first two of them JSON objects") {
  const std::string object = base64url("{}");
  struct Case {
    std::string token;
    TokenForm form;
  };
  const std::vector<Case> cases{
      {jwt("{}"), TokenForm::kJwt},
      {jwt(R"({"iss":"x","sub":"\u00e9"})"), TokenForm::kJwt},
      {object + "." + object + ".-_-_", TokenForm::kJwt},
      {"", TokenForm::kOpaque},
      {"..", TokenForm::kOpaque},
      {"abcdef.0123456789abcdef", TokenForm::kOpaque},
      {"5d7c5bb1-7bd4-4d3a-a7ae-1f4b7f1d2c3e", TokenForm::kOpaque},
      {object + "." + object, TokenForm::kOpaque},
      {object + "." + object + ".", TokenForm::kOpaque},
      {object + "." + object + ".x.y", TokenForm::kOpaque},
      {object + "." + object + ".a", TokenForm::kOpaque},
      {object + "." + object + ".+/+/", TokenForm::kOpaque},
      {object + "." + object + ".eA==", TokenForm::kOpaque},
      {"abcd.efgh.ijkl", TokenForm::kOpaque},
      {jwt("[]"), TokenForm::kOpaque},
      {jwt("{"), TokenForm::kOpaque},
      {jwt("{}", "1"), TokenForm::kOpaque},
      {jwt(std::string(5000, '[')), TokenForm::kOpaque},
      {jwt("{\"a\":" + std::string(5000, '[')), TokenForm::kOpaque},
  };
  for (const auto& [token, form] : cases) {
    INFO(token);
    CHECK(form_of(token, kNow) == form);
  }
}

TEST_CASE("a JWT has expired when its exp is further in the past than the allowed clock skew") {
  struct Case {
    std::string exp;
    TokenForm form;
  };
  const std::vector<Case> cases{
      {"1700000001", TokenForm::kJwt},
      {"1699999700", TokenForm::kJwt},
      {"1699999699", TokenForm::kExpiredJwt},
      {"1699999699.5", TokenForm::kExpiredJwt},
      {"0", TokenForm::kExpiredJwt},
      {"-1e300", TokenForm::kExpiredJwt},
      {"1e300", TokenForm::kJwt},
      {"\"1\"", TokenForm::kJwt},
      {"null", TokenForm::kJwt},
  };
  for (const auto& [exp, form] : cases) {
    INFO(exp);
    CHECK(form_of(jwt("{\"exp\":" + exp + "}"), kNow) == form);
  }
}
