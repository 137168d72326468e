#include "src/access/review.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson;
using namespace keelson::access;

namespace {

const std::string kOwned = R"({"kind":"TokenReview","status":{"authenticated":true,"user":{)"
                           R"("username":"system:serviceaccount:a:b","uid":"u-1","groups":["g","h"],)"
                           R"("extra":{"k":["v"]}},"audiences":["api"]}})";

}  // namespace

TEST_CASE("a token is reviewed for the API server's own audience") {
  auto review = token_review("t\"x");

  CHECK(review.resource.path("", "", "") == "/apis/authentication.k8s.io/v1/tokenreviews");
  CHECK(review.body == R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"t\"x"}})");
}

TEST_CASE("a SelfSubjectReview has no spec, a field that the API server would warn of") {
  CHECK(self_review().body == R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})");
}

TEST_CASE("the SubjectAccessReview contains the name, uid, groups and extra of the user") {
  auto user = parse_token_review(kOwned);
  REQUIRE(user.has_value());
  REQUIRE(user->has_value());

  auto review = access_review(**user, "get", "/metrics");

  CHECK(review.resource.path("", "", "") == "/apis/authorization.k8s.io/v1/subjectaccessreviews");
  CHECK(review.body == R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{)"
                       R"("nonResourceAttributes":{"path":"/metrics","verb":"get"},"user":"system:serviceaccount:a:b",)"
                       R"("uid":"u-1","groups":["g","h"],"extra":{"k":["v"]}}})");
}

TEST_CASE("the SubjectAccessReview of a user with a name alone contains only the name") {
  auto user =
      parse_token_review(R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jane"}}})");
  REQUIRE(user.has_value());

  CHECK(access_review(**user, "get", "/").body.ends_with(R"("verb":"get"},"user":"jane"}})"));
}

TEST_CASE("a token is rejected unless the review has authenticated true") {
  for (const char* status : {R"({"error":"invalid bearer token"})", R"({"authenticated":false})", "{}", "null",
                             R"({"authenticated":"true"})"}) {
    INFO(status);
    auto user = parse_token_review(std::string(R"({"kind":"TokenReview","status":)") + status + "}");
    REQUIRE(user.has_value());
    CHECK_FALSE(user->has_value());
  }
}

TEST_CASE("an invalid reply to a TokenReview is an error, not a rejection") {
  for (const char* answer : {"", "<html>", "{}", R"({"kind":"Status"})", R"({"kind":"SubjectAccessReview"})",
                             R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":""}}})",
                             R"({"kind":"TokenReview","status":{"authenticated":true}})"}) {
    INFO(answer);
    CHECK_FALSE(parse_token_review(answer).has_value());
  }
}

TEST_CASE("a TokenReview whose user has a field of the wrong type is malformed") {
  auto parse = [](const std::string& field) {
    return parse_token_review(R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"a",)" +
                              field + "}}}");
  };

  for (const char* field :
       {R"("uid":5)", R"("groups":"g")", R"("groups":{"g":"h"})", R"("groups":true)", R"("groups":["g",1])",
        R"("groups":[null])", R"("extra":["k"])", R"("extra":"k")", R"("extra":{"k":"v"})", R"("extra":{"k":[{}]})"}) {
    INFO(field);
    auto user = parse(field);
    REQUIRE_FALSE(user.has_value());
    CHECK(user.error().kind == Error::Kind::kMalformed);
  }
  for (const char* field : {R"("uid":null)", R"("groups":null)", R"("groups":[])", R"("extra":null)", R"("extra":{})",
                            R"("extra":{"k":null})", R"("extra":{"k":[]})"}) {
    INFO(field);
    CHECK(parse(field).has_value());
  }
}

TEST_CASE("access is granted if allowed is true in the review and denied is not") {
  auto decide = [](const std::string& status) {
    return parse_access_review(R"({"kind":"SubjectAccessReview","status":)" + status + "}");
  };

  CHECK(*decide(R"({"allowed":true})"));
  CHECK_FALSE(*decide(R"({"allowed":false})"));
  CHECK_FALSE(*decide(R"({"allowed":false,"evaluationError":"x"})"));
  CHECK_FALSE(*decide(R"({"allowed":true,"denied":true})"));
  CHECK_FALSE(decide("{}").has_value());
  CHECK_FALSE(parse_access_review("{}").has_value());
  CHECK_FALSE(parse_access_review("no JSON").has_value());
}
