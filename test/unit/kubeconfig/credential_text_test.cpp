// The words for rejected credentials.
#include "src/kubeconfig/credential_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"

namespace keelson::kube {
namespace {

using namespace std::chrono_literals;

// 2026-01-01T00:00:00Z
constexpr std::chrono::sys_seconds kNewYear(std::chrono::seconds(1767225600));

std::string token_that_ends(std::int64_t second) {
  return base::base64url_encode(R"({"alg":"RS256"})") + "." +
         base::base64url_encode(R"({"sub":"system:serviceaccount:a:b","exp":)" + std::to_string(second) + "}") + ".sig";
}

ConnectionConfig config_of_file() {
  ConnectionConfig config;
  config.url.origin.tls = true;
  config.source = "kubeconfig /home/me/.kube/config, context \"kind\"";
  return config;
}

std::string text_of_credentials(const ConnectionConfig& config, const std::string& token = "",
                                const std::string& certificate = "", const PluginCredential* plugin = nullptr) {
  return credential_text(config, token, certificate, plugin, kNewYear);
}

}  // namespace

TEST_CASE("a token file is named, with the expiry of its token") {
  auto config = config_of_file();
  config.token_file = "/var/run/secrets/token";

  CHECK(text_of_credentials(config, token_that_ends(1767225599)) ==
        "the token of file \"/var/run/secrets/token\", which expired at 2025-12-31T23:59:59Z");
  CHECK(text_of_credentials(config, token_that_ends(1767229200)) ==
        "the token of file \"/var/run/secrets/token\", which expires at 2026-01-01T01:00:00Z");
  CHECK(text_of_credentials(config, "opaque") == "the token of file \"/var/run/secrets/token\"");
}

TEST_CASE("an inline token, a password and a connection without credentials name the kubeconfig") {
  auto config = config_of_file();
  CHECK(text_of_credentials(config, "opaque") == "the token of kubeconfig /home/me/.kube/config, context \"kind\"");
  CHECK(text_of_credentials(config) == "no credentials: kubeconfig /home/me/.kube/config, context \"kind\" has none");
  config.username = "Aladdin";
  config.password = "open sesame";
  CHECK(text_of_credentials(config) ==
        "the user name and password of kubeconfig /home/me/.kube/config, context \"kind\"");
  config.url.origin.tls = false;
  CHECK(text_of_credentials(config) == "no credentials, because the connection has no TLS");
}

TEST_CASE("a client certificate is named, with its expiry") {
  auto made = tls::make_serving_certificate({"ca", {"me"}, kNewYear - 48h, kNewYear - 24h});
  REQUIRE(made);
  auto config = config_of_file();
  CHECK(text_of_credentials(config, "", made->certificate_pem) ==
        "the client certificate of kubeconfig /home/me/.kube/config, context \"kind\", which expired at "
        "2025-12-31T00:00:00Z");
  config.certificate_file = "/pki/client.crt";
  CHECK(text_of_credentials(config, "", made->certificate_pem) ==
        "the client certificate of file \"/pki/client.crt\", which expired at 2025-12-31T00:00:00Z");
  CHECK(text_of_credentials(config, "t", made->certificate_pem).find(", and the client certificate of file") !=
        std::string::npos);
}

TEST_CASE("an exec plugin is named, with the expiry of what it has returned") {
  auto config = config_of_file();
  config.exec.emplace();
  config.exec->command = "aws-iam-authenticator";
  config.exec->owner = "exec of user \"eks\" in kubeconfig /k";
  const std::string plugin =
      "the credentials of the exec plugin \"aws-iam-authenticator\" (" + config.exec->owner + ")";
  PluginCredential credential;

  CHECK(text_of_credentials(config) == plugin);
  credential.token = "k8s-aws-v1.opaque";
  CHECK(text_of_credentials(config, "", "", &credential) == plugin);
  credential.token = token_that_ends(1767225600);
  CHECK(text_of_credentials(config, "", "", &credential) == plugin + ", which expired at 2026-01-01T00:00:00Z");
}

TEST_CASE("the expiry of a token is read from every JWT, and from nothing else") {
  CHECK(expiry_of_token(token_that_ends(1767225600)) == kNewYear);
  for (const char* text : {"", "a", "a.b", "a.b.c", "..", "a..c", "a.e30.c", "a.W10.c"}) {
    INFO(text);
    CHECK_FALSE(expiry_of_token(text));
  }
  CHECK_FALSE(expiry_of_token(token_that_ends(-1)));
  CHECK_FALSE(expiry_of_token(token_that_ends(253402300800)));
  CHECK_FALSE(expiry_of_token("a." + base::base64url_encode(R"({"exp":"soon"})") + ".c"));
  CHECK_FALSE(expiry_of_token(token_that_ends(1767225600) + std::string(40000, 'x')));
}

}  // namespace keelson::kube
