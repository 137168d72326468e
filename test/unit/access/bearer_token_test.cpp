#include "src/access/bearer_token.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/net/limits.hpp"

using namespace keelson;
using access::bearer_token;
using Found = access::BearerToken::Found;

namespace {

access::BearerToken read(std::string value) { return bearer_token({{"authorization", std::move(value)}}); }

}  // namespace

TEST_CASE("the token is the second word of the header, after the scheme bearer in any case") {
  for (const char* value :
       {"Bearer a.b-c_d=", "bearer a.b-c_d=", "BEARER a.b-c_d=", "  Bearer a.b-c_d=  ", "Bearer a.b-c_d= and more"}) {
    INFO(value);
    auto token = read(value);
    CHECK(token.found == Found::kToken);
    CHECK(token.text == "a.b-c_d=");
  }
}

TEST_CASE("other headers contain no token") {
  for (const char* value : {"", "Bearer", "Bearer ", "Bearer  two-spaces", "Basic dTpw", "Bearertoken", "token",
                            "Bearer to\tken", "Bearer t\xc3\xb6ken"}) {
    INFO(value);
    CHECK(read(value).found == Found::kNone);
  }
  CHECK(bearer_token({{"X-Authorization", "Bearer t"}}).found == Found::kNone);
}

TEST_CASE("the first of several headers counts, as in Go") {
  CHECK(bearer_token({{"Authorization", "Bearer first"}, {"Authorization", "Bearer second"}}).text == "first");
}

TEST_CASE("a token of the maximum length is accepted, a longer one is reported as too long") {
  CHECK(read("Bearer " + std::string(limits::kBearerTokenBytes, 't')).found == Found::kToken);
  CHECK(read("Bearer " + std::string(limits::kBearerTokenBytes + 1, 't')).found == Found::kTooLong);
}
