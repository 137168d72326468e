#include "src/program/commands/redaction.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"

namespace keelson::program {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("secrets in every form in which logs, flags and URLs have them are redacted, and the rest stays") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"Authorization: Bearer abc.DEF-123", "Authorization: Bearer REDACTED"},
      {"sent Basic dXNlcjpwYXNz to it", "sent Basic REDACTED to it"},
      {"a bearer token, and basic words", "a bearer token, and basic words"},
      {"got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-x end", "got REDACTED end"},
      {"ghp_0123456789abcdefghij", "REDACTED"},
      {"https://user:p/a@ss@db.example.com:5432/x", "https://REDACTED@db.example.com:5432/x"},
      {"https://db.example.com/x?sig=abc&y=1", "https://db.example.com/x?sig=REDACTED&y=1"},
      {"https://example.com/mail@example.com", "https://REDACTED@example.com"},
      {"mail a@example.com", "mail a@example.com"},
      {"--db-password=abc --size=3", "--db-password=REDACTED --size=3"},
      {"--api-key abc", "--api-key REDACTED"},
      {"host=db password=a&b user=c", "host=db password=REDACTED&b user=c"},
      {R"({"token": "a b", "size": 1})", R"({"token": "REDACTED", "size": 1})"},
      {R"({"body": "{\"client_secret\":\"abc\",\"a\":\"b\"}"})",
       R"({"body": "{\"client_secret\":\"REDACTED\",\"a\":\"b\"}"})"},
      {R"({"password": "with \" quote", "a": 1})", R"({"password": "REDACTED", "a": 1})"},
      {"password: hunter2\nuser: a", "password: REDACTED\nuser: a"},
      {R"({"password": ""})", R"({"password": ""})"},
      {"token-file=/var/run/token secretName: cert", "token-file=/var/run/token secretName: cert"},
      {R"(secrets "cert" is forbidden)", R"(secrets "cert" is forbidden)"},
      {R"({"secret": {"a": 1}})", R"({"secret": {"a": 1}})"},
      {"x\n-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----\ny", "x\nREDACTED\ny"},
      {R"("-----BEGIN PRIVATE KEY-----\nabc)", "\"REDACTED"},
      {"-----BEGIN CERTIFICATE-----\nabc\n", "-----BEGIN CERTIFICATE-----\nabc\n"},
      {"", ""},
  };
  for (const auto& [text, shown] : rows) {
    INFO(text);
    CHECK(redacted(text) == shown);
    CHECK(redacted(shown) == shown);
  }
}

TEST_CASE("the word after a flag that is named after a secret is its value") {
  CHECK(redacted_arguments({"--token", "abc", "--size", "3", "--password=x", "--token-file", "/a"}) ==
        Words{"--token", "REDACTED", "--size", "3", "--password=REDACTED", "--token-file", "/a"});
}

TEST_CASE("an object has no values of annotations, environment variables and Secrets, and no managedFields") {
  const auto object = json::Document::parse(
      R"({"kind":"Pod","metadata":{"name":"web","managedFields":[{"manager":"hidden1"}],)"
      R"("annotations":{"kubectl.kubernetes.io/last-applied-configuration":"hidden2"}},"spec":{"containers":[)"
      R"({"name":"manager","args":["--size=3","--token","hidden3","--url=http://u:hidden4@h/"],)"
      R"("env":[{"name":"A","value":"hidden5"},{"name":"B","valueFrom":{"secretKeyRef":{"name":"cert","key":"k"}}}]}],)"
      R"("replicas":1,"paused":false,"none":null},"data":{"a":"hidden6"},"token":"hidden7"})");
  REQUIRE(object);

  const auto shown = redacted_object(object->root());

  CHECK(
      shown ==
      R"({"kind":"Pod","metadata":{"name":"web",)"
      R"("annotations":{"kubectl.kubernetes.io/last-applied-configuration":"REDACTED"}},"spec":{"containers":[)"
      R"({"name":"manager","args":["--size=3","--token","REDACTED","--url=http://REDACTED@h/"],)"
      R"("env":[{"name":"A","value":"REDACTED"},{"name":"B","valueFrom":{"secretKeyRef":{"name":"cert","key":"k"}}}]}],)"
      R"("replicas":1,"paused":false,"none":null},"data":"REDACTED","token":"REDACTED"})");
}

}  // namespace
}  // namespace keelson::program
