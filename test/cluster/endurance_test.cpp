// Objects that change all the time, while everything between them and their managers is replaced.
//
// KEELSON_ENDURANCE=full: 500 of them instead of 80, and the test waits until the certificate files have been read
// again, which happens every five minutes.

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

bool is_full() {
  const char* wanted = std::getenv("KEELSON_ENDURANCE");
  return wanted != nullptr && std::string(wanted) == "full";
}

int of_each() { return is_full() ? 250 : 40; }

// A client certificate of the cluster's own authority, as two files of the folder.
void issue_certificate(const TemporaryFolder& folder, const std::string& user) {
  auto pki = std::filesystem::path(std::getenv("KUBECONFIG")).parent_path() / "pki";
  auto fresh = folder.file("fresh");
  auto made = run({"openssl",
                   "req",
                   "-x509",
                   "-newkey",
                   "ec",
                   "-pkeyopt",
                   "ec_paramgen_curve:P-256",
                   "-nodes",
                   "-days",
                   "30",
                   "-config",
                   pki / "openssl.cnf",
                   "-extensions",
                   "client",
                   "-subj",
                   "/O=system:masters/CN=" + user,
                   "-CA",
                   pki / "ca.crt",
                   "-CAkey",
                   pki / "ca.key",
                   "-keyout",
                   fresh + ".key",
                   "-out",
                   fresh + ".crt"});
  INFO(made.text);
  REQUIRE(made.exit_code == 0);
  folder.write("client.key", folder.read("fresh.key"));
  folder.write("client.crt", folder.read("fresh.crt"));
}

// The load of a manager, in its own namespace.
class Herd {
 public:
  explicit Herd(std::string ns) : ns_(std::move(ns)) {}

  void resize(int size) const {
    std::string all;
    for (int number = 0; number < of_each(); ++number) {
      all += "---\napiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: m" +
             std::to_string(number) + "}\nspec: {size: " + std::to_string(size) + "}\n";
    }
    kubectl({"apply", "-n", ns_, "-f", "-"}, all);
  }
  [[nodiscard]] std::string deployments(const std::string& path) const {
    return kubectl({"get", "deployments", "-n", ns_, "--sort-by=.metadata.name", "-o",
                    "jsonpath={range .items[*]}" + path + " {end}"});
  }
  void wait_for_size(int size) const {
    std::string all;
    for (int number = 0; number < of_each(); ++number) all += std::to_string(size) + " ";
    eventually(
        "all are of size " + std::to_string(size), [&] { return deployments("{.spec.replicas}") == all; }, 180s);
  }
  [[nodiscard]] const std::string& ns() const { return ns_; }

 private:
  std::string ns_;
};

void check_nothing_doubled(const Manager& manager, const Herd& herd, const std::string& uids) {
  CHECK(herd.deployments("{.metadata.uid}") == uids);
  const auto requests = manager.requests(herd.ns());
  INFO(requests.text());
  CHECK(requests.of("patch deployments 201") == of_each());
  CHECK(requests.of("patch services 201") == of_each());
}

TEST_CASE("no object is lost or created twice while tokens, certificates, etcd, API server and proxy are replaced",
          "[slow][etcd]") {
  install_crds();
  ProxyThread proxy;
  const auto through = R"("proxy-url":")" + proxy.url() + "\",";
  Account account;
  CredentialFolder with_token;
  CredentialFolder with_certificate;
  auto token = account.token("first");
  with_token.write("token", token);
  issue_certificate(with_certificate, "worker-1");
  Namespace other;
  const Herd herds[] = {Herd(account.ns()), Herd(other.name())};
  Manager by_token({"--controllers=memcached", "--watch-namespaces=" + herds[0].ns(),
                    "--kubeconfig=" + with_token.kubeconfig(R"({"tokenFile":"token"})", through)});
  Manager by_certificate(
      {"--controllers=memcached", "--watch-namespaces=" + herds[1].ns(),
       "--kubeconfig=" +
           with_certificate.kubeconfig(R"({"client-certificate":"client.crt","client-key":"client.key"})", through)});
  by_token.wait_until_ready();
  by_certificate.wait_until_ready();
  for (const auto& herd : herds) herd.resize(1);
  for (const auto& herd : herds) herd.wait_for_size(1);
  const std::string uids[] = {herds[0].deployments("{.metadata.uid}"), herds[1].deployments("{.metadata.uid}")};

  int size = 1;
  const std::function<void()> changes[] = {
      [&] {
        with_token.write("token", account.token("second"));
        account.revoke("first", token);
      },
      [&] { issue_certificate(with_certificate, "worker-2"); },
      [] { cluster("restart-etcd"); },
      [] { cluster("restart-apiserver"); },
      [] {
        cluster("kill-apiserver");
        cluster("start-apiserver");
      },
  };
  for (const auto& change : changes) {
    size = 1 - size;
    for (const auto& herd : herds) herd.resize(size);
    change();
    for (const auto& herd : herds) herd.wait_for_size(size);
  }
  const auto from = audit_end();
  if (is_full()) ::sleep(330);
  for (const auto& herd : herds) herd.resize(1 - size);
  for (const auto& herd : herds) herd.wait_for_size(1 - size);

  check_nothing_doubled(by_token, herds[0], uids[0]);
  check_nothing_doubled(by_certificate, herds[1], uids[1]);
  if (is_full()) {
    for (const auto& request : audited(herds[1].ns(), from)) {
      if (request.agent.starts_with("manager-")) CHECK(request.user == "worker-2");
    }
  }
  by_token.stop();
  by_certificate.stop();
  CHECK_FALSE(proxy.end().empty());
}

}  // namespace
}  // namespace keelson::testing
