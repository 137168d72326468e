#include "keelson/detail/kubeconfig/exec_credential.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace keelson::kube {
namespace {

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

std::string answer(const std::string& status) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" + status + "}";
}

// "token certificate key expiry", or the error's text.
std::string show(const std::string& output, const std::string& version = kV1) {
  auto read = parse_exec_credential(output, version);
  if (!read) return read.error().text;
  auto expires = read->expires ? std::to_string(read->expires->time_since_epoch().count() / 1'000'000'000) : "";
  return read->token + " " + read->certificate_pem + " " + read->key_pem + " " + expires;
}

TEST_CASE("the output of plugins is parsed as in client-go") {
  struct Row {
    std::string output;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {answer(R"({"token":"t"})"), "t   "},
      {answer(R"({"token":"t","expirationTimestamp":"1970-01-01T00:01:00Z"})"), "t   60"},
      {answer(R"({"token":"t","expirationTimestamp":null})"), "t   "},
      {answer(R"({"clientCertificateData":"C","clientKeyData":"K"})"), " C K "},
      {answer(R"({"token":"t","clientCertificateData":"C","clientKeyData":"K","more":1})"), "t C K "},
      {answer("{}"), "exec plugin didn't return a token or cert/key pair"},
      {answer("null"), "exec plugin didn't return a status field"},
      {answer(R"({"clientCertificateData":"C"})"), "exec plugin returned only certificate or key, not both"},
      {answer(R"({"token":"t","clientKeyData":"K"})"), "exec plugin returned only certificate or key, not both"},
      {answer(R"({"token":7})"), "decoding stdout: status.token: expected a string, found a number (put it in quotes)"},
      {answer(R"({"token":"secret\nX-Evil: 1"})"), "exec plugin returned a token with a line break in it"},
      {R"({"kind":"ExecCredential"})",
       "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin returned no apiVersion"},
      {R"({"kind":"Secret","apiVersion":"v1"})", R"(decoding stdout: no kind "Secret" is registered for version "v1")"},
      {"[]", "decoding stdout: not an ExecCredential"},
      {"a: [secret", "decoding stdout: yaml: line 1, column 1: end of sequence flow not found"},
      {"please log in\n", "decoding stdout: not an ExecCredential"},
      {"", "decoding stdout: not an ExecCredential"},
      // The kind may be missing, and the text may be YAML, of which the first document counts.
      {R"({"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}})", "t   "},
      {"apiVersion: client.authentication.k8s.io/v1\nkind: ExecCredential\nstatus:\n  token: t\n"
       "  expirationTimestamp: 1970-01-01T00:01:00Z\n",
       "t   60"},
      {"---\n# a comment\napiVersion: client.authentication.k8s.io/v1\nstatus: {token: t}\n---\nstatus: {token: u}\n",
       "t   "},
      {"\n\t" + answer(R"({"token":"t"})") + "\n", "t   "},
  };

  for (const auto& row : rows) {
    INFO(row.output);
    CHECK(show(row.output) == row.expected);
  }
  CHECK(show("token: secret").find("secret") == std::string::npos);
  CHECK(show(answer(R"({"token":"t","expirationTimestamp":"soon"})"))
            .starts_with("decoding stdout: status.expirationTimestamp: "));
}

TEST_CASE("a plugin that returns another version than requested is rejected") {
  CHECK(show(answer(R"({"token":"t"})"), "client.authentication.k8s.io/v1beta1") ==
        "exec plugin is configured to use API version client.authentication.k8s.io/v1beta1, plugin returned version "
        "client.authentication.k8s.io/v1");
}

TEST_CASE("the input of a plugin has its version, cluster and mode") {
  ExecPlugin plugin;
  plugin.api_version = kV1;
  CHECK(exec_info(plugin, Terminal::kNone) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}})");

  plugin.cluster_info = R"({"server":"https://h"})";
  CHECK(exec_info(plugin, Terminal::kAttached) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
        R"("spec":{"cluster":{"server":"https://h"},"interactive":true}})");
}

TEST_CASE("a plugin gets the terminal according to its interactiveMode") {
  ExecPlugin plugin;
  plugin.interactive_mode = "Never";
  CHECK(*terminal_for(plugin, Terminal::kAttached) == Terminal::kNone);
  plugin.interactive_mode = "IfAvailable";
  CHECK(*terminal_for(plugin, Terminal::kAttached) == Terminal::kAttached);
  CHECK(*terminal_for(plugin, Terminal::kNone) == Terminal::kNone);
  plugin.interactive_mode = "Always";
  CHECK(*terminal_for(plugin, Terminal::kAttached) == Terminal::kAttached);
  CHECK(terminal_for(plugin, Terminal::kNone)
            .error()
            .text.starts_with("exec plugin cannot support interactive mode: standard input is not a terminal"));
}

}  // namespace
}  // namespace keelson::kube
