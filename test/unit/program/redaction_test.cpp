#include "src/program/commands/redaction.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "src/program/flags/flag_table.hpp"

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
      {"authorization: bearer abc", "authorization: bearer REDACTED"},
      {"Authorization: AWS4 Credential=a/b, Signature=c\nnext", "Authorization: REDACTED\nnext"},
      {"Proxy-Authorization: BASIC abc", "Proxy-Authorization: BASIC REDACTED"},
      {"Cookie: a=b; c=d\nHost: x", "Cookie: REDACTED\nHost: x"},
      {R"(curl -H "Cookie: a=b; c=d" https://x)", R"(curl -H "Cookie: REDACTED" https://x)"},
      {"curl -H 'Authorization: token abc def' x", "curl -H 'Authorization: token REDACTED' x"},
      {R"({"msg":"it isn't; sent Cookie: a=b; c=\"d\"; e","size":1})",
       R"({"msg":"it isn't; sent Cookie: REDACTED","size":1})"},
      {"map[Authorization:[Bearer abc] Cookie:[session=xyz; a]b] Host:[x]]",
       "map[Authorization:[Bearer REDACTED] Cookie:[REDACTED] Host:[x]]"},
      {R"({"Cookie":["a=b","c=d"],"Host":["x"]})", R"({"Cookie":[REDACTED],"Host":["x"]})"},
      {"subjectaccessreviews.authorization.k8s.io: is forbidden",
       "subjectaccessreviews.authorization.k8s.io: is forbidden"},
      {"token: bearer abc end", "token: bearer REDACTED end"},
      {R"({"client-key-data":"abc"} accountkey=abc EncryptionKey=abc signing-key: abc)",
       R"({"client-key-data":"REDACTED"} accountkey=REDACTED EncryptionKey=REDACTED signing-key: REDACTED)"},
      {"SMTP_PASS=abc auth=abc creds=abc passphrase=abc",
       "SMTP_PASS=REDACTED auth=REDACTED creds=REDACTED passphrase=REDACTED"},
      {"--token-profile=x --ssh-key-base64 x", "--token-profile=REDACTED --ssh-key-base64 REDACTED"},
      {"key=default/web open /certs/tls.key: no such file", "key=default/web open /certs/tls.key: no such file"},
      {"ca: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ==", "ca: REDACTED"},
      {"- password: |\n    hunter2\n\n    more\n  user: a", "- password: REDACTED\n  user: a"},
      {"a:\n  token: >-\n    abc\n  b: c", "a:\n  token: REDACTED\n  b: c"},
      {R"({"yaml":"password: |\n  hunter2\n","a":1})", R"({"yaml":"password: REDACTED","a":1})"},
      {R"({"yaml":"password: |\n  a\"b\n","a":1})", R"({"yaml":"password: REDACTED","a":1})"},
      {R"({"yaml":"password: |\n  a\")", R"({"yaml":"password: REDACTED)"},
      {"Cookie:[a=b", "Cookie:[REDACTED"},
      {"Authorization: Bearer ", "Authorization: Bearer "},
      {"Authorization:", "Authorization:"},
      {"token: |\n", "token: REDACTED"},
      {"password: |", "password: REDACTED"},
      {"", ""},
  };
  for (const auto& [text, shown] : rows) {
    INFO(text);
    CHECK(redacted(text) == shown);
    CHECK(redacted(shown) == shown);
  }
}

TEST_CASE("no flag of the library has a secret value") {
  for (const auto& flag : flag_table()) {
    const auto word = "--" + std::string(flag.name);
    INFO(word);
    CHECK(redacted(word + "=x") == word + "=x");
    CHECK(redacted_arguments({word, "x"}) == Words{word, "x"});
  }
}

TEST_CASE("the HTTP headers of probes and hooks have no values in an object") {
  const auto object = json::Document::parse(
      R"({"livenessProbe":{"httpGet":{"httpHeaders":[{"name":"X-Probe","value":"hidden1"}],"path":"/"}},)"
      R"("lifecycle":{"preStop":{"httpGet":{"httpHeaders":[{"name":"Authorization","value":"hidden2"}]}}}})");
  REQUIRE(object);

  CHECK(redacted_object(object->root()) ==
        R"({"livenessProbe":{"httpGet":{"httpHeaders":[{"name":"X-Probe","value":"REDACTED"}],"path":"/"}},)"
        R"("lifecycle":{"preStop":{"httpGet":{"httpHeaders":[{"name":"Authorization","value":"REDACTED"}]}}}})");
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
