// Exec plugins and proxies in a kubeconfig and the environment.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/kubeconfig/config_from.hpp"

namespace keelson::kube {

using namespace fixtures;

TEST_CASE("a user's exec plugin is used only without other credentials") {
  FakeEnvironment files;
  const std::string server = "{server: 'https://h'}";
  const std::string exec = "exec: {command: aws-iam, apiVersion: client.authentication.k8s.io/v1beta1}";
  files.file("/only", kubeconfig(server, "{" + exec + "}"))
      .file("/both", kubeconfig(server, "{token: t, " + exec + "}"));

  auto only = load(files, "/only");
  auto both = load(files, "/both");

  REQUIRE(only);
  REQUIRE(only->exec);
  CHECK(only->exec->command == "aws-iam");
  CHECK(only->exec->owner == R"(exec of user "u" in kubeconfig /only, context "dev")");
  CHECK(only->exec->cluster_info.empty());
  REQUIRE(both);
  CHECK_FALSE(both->exec);
}

TEST_CASE("a plugin with provideClusterInfo gets the same cluster as from client-go") {
  FakeEnvironment files;
  files.file("/k",
             kubeconfig("{server: 'https://h', tls-server-name: n, certificate-authority-data: Q0E=, proxy-url: "
                        "'http://me:pw@p', disable-compression: true, extensions: [{name: "
                        "client.authentication.k8s.io/exec, extension: {a: 1}}]}",
                        "{exec: {command: c, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, "
                        "provideClusterInfo: true}}"));

  auto config = load(files, "/k");

  REQUIRE(config);
  CHECK(config->exec->cluster_info ==
        R"({"server":"https://h","tls-server-name":"n","certificate-authority-data":"Q0E=",)"
        R"("proxy-url":"http://me:pw@p","disable-compression":true,"config":{"a":1}})");
}

TEST_CASE("obsolete plugins are rejected, and the error names their replacement") {
  FakeEnvironment files;
  const std::string server = "{server: 'https://h'}";

  auto provider = error_of(files, kubeconfig(server, "{auth-provider: {name: gcp}}"));
  auto alpha =
      error_of(files, kubeconfig(server, "{exec: {command: c, apiVersion: client.authentication.k8s.io/v1alpha1}}"));

  CHECK(provider == R"(auth-provider of user "u" in kubeconfig /k, context "dev": unsupported auth provider "gcp"; )"
                    "replace it with the provider's exec plugin "
                    "(gke-gcloud-auth-plugin, kubelogin for oidc), a token, a tokenFile or a client certificate");
  CHECK(alpha.starts_with(R"(exec of user "u" in kubeconfig /k, context "dev": exec plugin: invalid apiVersion )"
                          R"("client.authentication.k8s.io/v1alpha1"; )"));
}

TEST_CASE("the kubeconfig's proxy ignores NO_PROXY, and proxies of the environment follow Go's rules") {
  FakeEnvironment files;
  auto url_of = [&](const std::string& cluster) {
    files.file("/k", kubeconfig(cluster));
    auto config = load(files, "/k");
    if (!config) return config.error().text;
    return config->proxy ? config->proxy->url() + " of " + config->proxy->source : "none";
  };
  const std::string plain = "{server: 'https://h:6443'}";
  CHECK(url_of(plain) == "none");

  files.variable("https_proxy", "me:secret@lower:3128").variable("HTTP_PROXY", "http://plain");
  CHECK(url_of(plain) == "http://me:xxxxx@lower:3128 of https_proxy");
  CHECK(url_of("{server: 'http://h'}") == "http://plain:80 of HTTP_PROXY");

  files.variable("HTTPS_PROXY", "socks5://upper").variable("no_proxy", "10.0.0.0/8, h:6443");
  CHECK(url_of("{server: 'https://h'}") == "socks5://upper:1080 of HTTPS_PROXY");
  CHECK(url_of(plain) == "none");
  CHECK(url_of("{server: 'https://10.96.0.1'}") == "none");
  CHECK(url_of("{server: 'https://localhost:1'}") == "none");
  CHECK(url_of("{server: 'https://h:6443', proxy-url: 'https://p'}") ==
        R"(https://p:443 of proxy-url of kubeconfig /k, context "dev")");

  files.variable("HTTPS_PROXY", "ftp://secret@p");
  CHECK(url_of("{server: 'https://h'}") ==
        R"(HTTPS_PROXY: unsupported scheme "ftp", must be http, https, or socks5; correct it, or add h to NO_PROXY)");
}

TEST_CASE("the source of a connection names the proxy without its password") {
  FakeEnvironment files;
  files.service_account().variable("HTTPS_PROXY", "http://me:secret@p:3128");

  CHECK(load(files)->source == "in-cluster, through proxy http://me:xxxxx@p:3128");
}

}  // namespace keelson::kube
