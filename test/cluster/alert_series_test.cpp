// A running manager exports the series that its alerts need, and its log names what is rejected or expires.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/detail/base/base64.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/registered_webhooks.hpp"
#include "test/support/certificates.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/support/text_parts.hpp"

namespace keelson::testing {
namespace {

// A copy of the kubeconfig.
std::string own_kubeconfig(TemporaryFolder& folder) {
  return folder.write("kubeconfig", kubectl({"config", "view", "--raw", "--minify"}));
}

}  // namespace

TEST_CASE("a missing permission is counted with its verb and resource, and not as another rejection") {
  install_crds();
  Namespace space;
  kubectl({"create", "serviceaccount", "unbound", "-n", space.name()});
  TemporaryFolder folder;
  const auto kubeconfig = own_kubeconfig(folder);
  const auto user = kubectl({"config", "view", "--minify", "-o", "jsonpath={.users[0].name}"});
  kubectl({"--kubeconfig=" + kubeconfig, "config", "set", "users." + user + ".act-as",
           "system:serviceaccount:" + space.name() + ":unbound"});
  Manager manager({"--kubeconfig=" + kubeconfig, "--controllers=memcached"});

  eventually("the permission is counted", [&] {
    return contains(
        manager.metrics(),
        "keelson_rejected_requests_total{cause=\"permission\",resource=\"memcacheds.memcached.cache.example.com\"");
  });
  const auto metrics = manager.metrics();
  CHECK(occurrences(metrics, "keelson_rejected_requests_total{") ==
        occurrences(metrics, "keelson_rejected_requests_total{cause=\"permission\""));
}

TEST_CASE("a 401 names the token file and its expiry in the log, and is counted as such") {
  install_crds();
  TemporaryFolder folder;
  const auto kubeconfig = own_kubeconfig(folder);
  const auto token = folder.write("token", base::base64url_encode(R"({"alg":"RS256"})") + "." +
                                               base::base64url_encode(R"({"exp":1767225600})") + ".c2ln");
  kubectl({"--kubeconfig=" + kubeconfig, "config", "set", "users.expired.tokenFile", token});
  kubectl({"--kubeconfig=" + kubeconfig, "config", "set-context", "--current", "--user=expired"});
  Manager manager({"--kubeconfig=" + kubeconfig, "--controllers=memcached"});

  eventually("the rejection is counted",
             [&] { return contains(manager.metrics(), "keelson_rejected_requests_total{cause=\"unauthenticated\""); });
  const auto log = manager.log();
  CHECK(contains(log,
                 "Unauthorized; sent: the token of file \\\"" + token + "\\\", which expired at 2026-01-01T00:00:00Z"));
  CHECK(contains(log, "\"remedy\": \"renew the credentials that the error names"));
  CHECK_FALSE(contains(log, "\"remedy\": \"\""));
  CHECK_FALSE(contains(log, "c2ln"));
}

TEST_CASE("a webhook certificate that is not renewed is exported, and logged once with its file") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  Authority authority;
  TemporaryFolder folder;
  const auto pair = authority.issue({.names = {std::string(RegisteredWebhooks::kService) + "." + ns + ".svc"},
                                     .valid_from = std::chrono::hours(-23),
                                     .valid_until = std::chrono::hours(1)});
  folder.write("tls.crt", pair.certificate_pem);
  folder.write("tls.key", pair.key_pem);
  Manager manager({"--webhook-port=" + std::to_string(free_port()), "--webhook-cert-path=" + folder.path().string(),
                   "--watch-namespaces=" + ns});
  manager.wait_until_ready();

  const auto metrics = manager.metrics();
  CHECK(contains(metrics, "\nkeelson_certificate_expiry_seconds{use=\"webhook\"} "));
  CHECK(contains(metrics, "\nkeelson_certificate_lifetime_seconds{use=\"webhook\"} 86400\n"));
  CHECK(contains(
      metrics,
      "\nkeelson_webhook_info{name=\"mcronjob-v1.kb.io\",webhook=\"/mutate-batch-tutorial-kubebuilder-io-v1-cronjob\"} "
      "1\n"));
  pause(std::chrono::seconds(12));  // the files have been read again
  const auto log = manager.log();
  CHECK(occurrences(log, "A certificate expires soon") == 1);
  CHECK(contains(log, "\"certificate\": \"" + folder.path().string() + "/tls.crt\""));
  manager.stop();
}

}  // namespace keelson::testing
