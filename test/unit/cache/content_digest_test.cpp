#include "keelson/detail/cache/content_digest.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::cache {
namespace {

std::string secret(const std::string& data, const std::string& metadata = R"("resourceVersion":"1")") {
  return R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"default",)" + metadata +
         R"(},"data":)" + data + R"(,"type":"Opaque"})";
}

TEST_CASE("the digest of an object changes with its content, and not with its metadata") {
  const auto digest = content_digest(secret(R"({"password":"YQ=="})"));
  REQUIRE(digest);

  CHECK(digest->size() == 64);
  CHECK(digest->find("YQ==") == std::string::npos);
  CHECK(*content_digest(secret(R"({"password":"YQ=="})", R"("resourceVersion":"2","labels":{"a":"b"})")) == *digest);
  CHECK(*content_digest(secret(R"({"password":"Yg=="})")) != *digest);
  CHECK(*content_digest(secret(R"({"password":"YQ==","user":""})")) != *digest);
}

TEST_CASE("the digest of a cached object is the same whether it has its content or only the digest") {
  const auto text = secret(R"({"password":"YQ=="})");
  const auto digest = content_digest(text);
  REQUIRE(digest);

  const auto whole = kube::Object::from_json(text);
  const auto without_content = kube::Object::from_json(
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"default","resourceVersion":"1"},)"
      R"("contentDigest":")" +
      *digest + "\"}");

  REQUIRE(whole);
  REQUIRE(without_content);
  CHECK(*digest_of(*whole) == *digest);
  CHECK(*digest_of(*without_content) == *digest);
}

}  // namespace
}  // namespace keelson::cache
