// A manager whose token is revoked while it works, on a real API server: a token from an exec plugin, through a proxy,
// and a token from a file.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

std::size_t nodes(const std::string& ns) { return get("memcached", "web", ns).root().at({"status", "nodes"}).size(); }

// A Memcached whose size the test increases after each change of the manager's token.
void work_through_rotation(const Manager& manager, const Account& account, const std::function<void()>& rotate) {
  const auto& ns = account.ns();
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 1}\n");
  eventually("one node", [&] { return nodes(ns) == 1; });
  auto uid = get("deployment", "web", ns).root().at({"metadata", "uid"}).text();
  rotate();
  for (int size : {2, 3}) {
    kubectl({"scale", "memcached/web", "--replicas=" + std::to_string(size), "-n", ns});
    eventually("another node", [&] { return nodes(ns) == static_cast<std::size_t>(size); });
  }
  CHECK(get("deployment", "web", ns).root().at({"metadata", "uid"}).text() == uid);
  auto requests = manager.requests(ns);
  INFO(requests.text());
  CHECK(requests.of("patch deployments 201") == 1);
  CHECK(requests.of("patch services 201") == 1);
}

TEST_CASE("a manager behind a proxy whose exec plugin's token is revoked gets another token and continues") {
  install_crds();
  ProxyThread proxy;
  Account account;
  CredentialFolder folder;
  auto print = [&](const std::string& token) {
    folder.write("credential", R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
                               R"("status":{"token":")" +
                                   token + "\"}}");
  };
  auto first = account.token("first");
  print(first);
  auto script = folder.write("plugin.sh",
                             "cd \"$(dirname \"$0\")\"; echo run >> runs; echo here you are >&2\n"
                             "echo \"$KUBERNETES_EXEC_INFO\" > info; cat credential\n");
  auto user =
      R"({"exec":{"command":"sh","args":[")" + script +
      R"("],"apiVersion":"client.authentication.k8s.io/v1","interactiveMode":"Never","provideClusterInfo":true}})";
  Manager manager(
      {"--controllers=memcached", "--kubeconfig=" + folder.kubeconfig(user, R"("proxy-url":")" + proxy.url() + "\",")});
  manager.wait_until_ready();

  work_through_rotation(manager, account, [&] {
    CHECK(folder.read("runs") == "run\n");
    print(account.token("second"));
    account.revoke("first", first);
  });

  CHECK(folder.read("runs") == "run\nrun\n");
  CHECK(folder.read("info").find(R"("cluster":{"server":"https://)") != std::string::npos);
  auto log = manager.log();
  CHECK(log.find("here you are") != std::string::npos);
  CHECK(log.find("through proxy http://me:xxxxx@127.0.0.1:") != std::string::npos);
  CHECK(log.find(first) == std::string::npos);
  manager.stop();
  auto asked = proxy.end();
  CHECK_FALSE(asked.empty());
  for (const auto& request : asked) CHECK(request.starts_with("CONNECT "));
}

TEST_CASE("a manager continues when its token file is replaced during a watch and the old token is revoked") {
  install_crds();
  Account account;
  CredentialFolder folder;
  auto first = account.token("first");
  folder.write("token", first);
  Manager manager({"--controllers=memcached", "--kubeconfig=" + folder.kubeconfig(R"({"tokenFile":"token"})")});
  manager.wait_until_ready();

  work_through_rotation(manager, account, [&] {
    folder.write("token", account.token("second") + "\n");
    account.revoke("first", first);
  });

  CHECK(manager.log().find("Unable to rotate token") == std::string::npos);
  manager.stop();
}

}  // namespace
}  // namespace keelson::testing
