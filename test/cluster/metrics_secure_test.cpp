// --metrics-secure on a real API server: the manager itself reviews its clients, with the permissions of our roles.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/access.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/scraper.hpp"
#include "test/support/certificates.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::string kRbac = std::string(KEELSON_SOURCE_DIR) + "/config/rbac/";

// A service account of the manager with the three roles of its deployment without a sidecar.
class ManagerAccount {
 public:
  ManagerAccount() {
    install_crds();
    kubectl({"apply", "-f", kRbac + "role.yaml", "-f", kRbac + "metrics_auth_role.yaml", "-f",
             kRbac + "metrics_reader_role.yaml"});
    auto elections = read_file(kRbac + "leader_election_role.yaml");
    const std::string scaffolded = "namespace: system";
    elections.replace(elections.find(scaffolded), scaffolded.size(), "namespace: " + ns());
    kubectl({"apply", "-f", "-"}, elections);
    kubectl({"create", "serviceaccount", "controller-manager", "-n", ns()});
    const auto account = "--serviceaccount=" + ns() + ":controller-manager";
    kubectl({"create", "rolebinding", "elections", "-n", ns(), "--role=leader-election-role", account});
    for (const auto* role : {"manager-role", "metrics-auth-role"}) {
      kubectl({"create", "clusterrolebinding", ns() + role, std::string("--clusterrole=") + role, account});
    }
    kubeconfig_ = folder_.kubeconfig(R"({"token":")" + token() + "\"}");
  }
  ManagerAccount(const ManagerAccount&) = delete;
  ManagerAccount& operator=(const ManagerAccount&) = delete;
  ~ManagerAccount() {
    (void)try_kubectl({"delete", "clusterrolebinding", ns() + "manager-role", ns() + "metrics-auth-role"});
  }

  [[nodiscard]] const std::string& ns() const { return space_.name(); }
  [[nodiscard]] std::string token(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command{"create", "token", "controller-manager", "-n", ns()};
    command.insert(command.end(), more.begin(), more.end());
    const auto printed = kubectl(command);
    return printed.substr(0, printed.find('\n'));
  }
  // A manager's arguments; the last --metrics-bind-address takes effect.
  [[nodiscard]] std::vector<std::string> arguments(int port, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"--kubeconfig=" + kubeconfig_, "--metrics-secure",
                                 "--metrics-bind-address=127.0.0.1:" + std::to_string(port)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

 private:
  Namespace space_;
  CredentialFolder folder_;
  std::string kubeconfig_;
};

std::string url_of(int port, const std::string& path = "/metrics") {
  return "https://127.0.0.1:" + std::to_string(port) + path;
}

// True if a client that trusts this authority accepts the server's certificate.
bool is_trusted(int port, const std::string& authority_file) {
  return run({"curl", "--silent", "--cacert", authority_file, url_of(port)}).exit_code == 0;
}

TEST_CASE("P4: the manager itself serves metrics only to authorized clients, with the permissions of our roles") {
  const ManagerAccount account;
  const Scraper unauthorized;
  const Scraper reader;
  reader.bind("metrics-reader");
  const auto port = free_port();
  Manager manager(account.arguments(port, {"--leader-elect", "--leader-election-namespace=" + account.ns()}));
  manager.wait_until_ready();
  // A leader has the series of controllers.
  eventually("a scrape with all series", [&] {
    return ask(url_of(port), reader.token()).body.find("controller_runtime_active_workers") != std::string::npos;
  });

  const auto nobody = ask(url_of(port), "");
  CHECK(nobody.code == 401);
  CHECK(nobody.body == "Unauthorized\n");
  CHECK(ask(url_of(port), "garbage").code == 401);
  CHECK(ask(url_of(port), account.token({"--audience=elsewhere"})).code == 401);
  CHECK(ask(url_of(port, "/nowhere"), "").code == 401);

  const auto denied = ask(url_of(port), unauthorized.token());
  CHECK(denied.code == 403);
  CHECK(denied.body.starts_with("Authorization denied for user system:serviceaccount:"));

  CHECK(ask(url_of(port), reader.token()).code == 200);
  CHECK(ask(url_of(port, "/metrics?name=x"), reader.token()).code == 200);
  CHECK(ask(url_of(port, "/metrics/"), reader.token()).code == 403);
  CHECK(ask(url_of(port, "//metrics"), reader.token()).code == 403);
  CHECK(ask(url_of(port, "/nowhere"), reader.token()).code == 403);
  CHECK(ask("http://127.0.0.1:" + std::to_string(port) + "/metrics", reader.token()).code == 0);

  // Both permissions of the role are used, and none is missing.
  CHECK(manager.requests().of("create tokenreviews 201") > 0);
  CHECK(manager.requests().of("create subjectaccessreviews 201") > 0);
  CHECK(manager.log().find("forbidden: User") == std::string::npos);
  for (const auto& token : {unauthorized.token(), reader.token()}) {
    CHECK(manager.log().find(token) == std::string::npos);
  }
  manager.stop();
}

// The status of a request for this page with these headers. The Host is not that of loopback, so that the client is
// treated as one in the network of the pods.
int status_from_network(const Manager& manager, const std::string& path, const std::vector<std::string>& headers = {}) {
  std::vector<std::string> command{"curl",      "--silent",          "--output",
                                   "/dev/null", "--write-out",       "%{http_code}",
                                   "--header",  "Host: pod.example", manager.health_url() + path};
  for (const auto& header : headers) command.insert(command.end() - 1, {"--header", header});
  return std::stoi(run(command).text);
}

TEST_CASE("the status pages need the permission of the metrics, or a token of the manager's own account") {
  const ManagerAccount account;
  const Scraper unauthorized;
  const Scraper reader;
  reader.bind("metrics-reader");
  Manager manager(account.arguments(free_port()));
  manager.wait_until_ready();
  const auto bearer = [](const std::string& token) { return "Authorization: Bearer " + token; };
  const auto own = [](const std::string& token) { return "X-Keelson-Authorization: Bearer " + token; };
  const auto for_keelson = account.token({"--audience=keelson"});

  for (const std::string path : {"/statusz", "/flagz"}) {
    INFO(path);
    // The program is the link by which the test starts it.
    CHECK(manager.health(path).find(manager.user_agent() + " " + path.substr(1)) != std::string::npos);
    CHECK(status_from_network(manager, path) == 401);
    CHECK(status_from_network(manager, path, {bearer("garbage")}) == 401);
    CHECK(status_from_network(manager, path, {bearer(unauthorized.token())}) == 403);
    CHECK(status_from_network(manager, path, {bearer(reader.token())}) == 200);
    CHECK(status_from_network(manager, path, {own(reader.token())}) == 401);
    CHECK(status_from_network(manager, path, {own(for_keelson)}) == 200);
    CHECK(status_from_network(manager, path, {bearer(for_keelson)}) == 401);
  }
  CHECK(status_from_network(manager, "/healthz") == 200);
  CHECK(status_from_network(manager, "/readyz") == 200);
  CHECK(manager.log().find(for_keelson) == std::string::npos);
  CHECK(manager.health("/flagz").find(for_keelson) == std::string::npos);
  manager.stop();
}

TEST_CASE("reviews are cached for repeated requests, and for times when the API server is unavailable") {
  const ManagerAccount account;
  const Scraper reader;
  const Scraper unauthorized;
  reader.bind("metrics-reader");
  const auto port = free_port();
  Manager manager(account.arguments(port));
  manager.wait_until_ready();
  eventually("the first scrape", [&] { return ask(url_of(port), reader.token()).code == 200; });
  const auto reviews = [&] {
    const auto requests = manager.requests();
    return requests.of("create tokenreviews") + requests.of("create subjectaccessreviews");
  };
  eventually("both reviews are in the audit log", [&] { return reviews() >= 2; });
  const auto asked = reviews();
  for (int time = 0; time < 5; ++time) CHECK(ask(url_of(port), reader.token()).code == 200);
  CHECK(reviews() == asked);

  cluster("kill-apiserver");
  CHECK(ask(url_of(port), reader.token()).code == 200);
  const auto unknown = ask(url_of(port), unauthorized.token());
  cluster("start-apiserver");

  CHECK(unknown.code == 500);
  CHECK(unknown.body == "Authentication failed\n");
  manager.stop();
}

TEST_CASE("new connections get the new metrics certificate when its files change") {
  const ManagerAccount account;
  const TemporaryFolder folder;
  const Authority first("first authority");
  const Authority second("second authority");
  const auto first_file = folder.write("first.crt", first.certificate_pem());
  const auto second_file = folder.write("second.crt", second.certificate_pem());
  const auto install = [&](const Authority& authority) {
    const auto pair = authority.issue_for_loopback();
    folder.write("tls.crt", pair.certificate_pem);
    folder.write("tls.key", pair.key_pem);
  };
  const auto port = free_port();
  Manager manager(account.arguments(port, {"--metrics-cert-path=" + folder.path().string()}));
  manager.wait_until_ready();
  CHECK(manager.log().find("Waiting for the metrics certificate") != std::string::npos);

  install(first);
  eventually("the first certificate", [&] { return is_trusted(port, first_file); });
  CHECK_FALSE(is_trusted(port, second_file));
  install(second);
  eventually("the second certificate", [&] { return is_trusted(port, second_file); });
  CHECK_FALSE(is_trusted(port, first_file));
  manager.stop();
}

}  // namespace
}  // namespace keelson::testing
