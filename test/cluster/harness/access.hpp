// The access of a test's manager to the API server: its user, its credentials and its proxy.
#pragma once

#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "keelson/detail/async/notify.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/support/test_proxy.hpp"

namespace keelson::testing {

// A proxy that works while the test waits for programs.
class ProxyThread {
 public:
  ProxyThread() : proxy_(loop_.executor(), {.authorization = "Basic bWU6cHc="}) {
    // Longer than the test's own timeout.
    thread_ = std::thread([this] { loop_.run_real([this] { return run(); }, std::chrono::hours(2)); });
  }
  ProxyThread(const ProxyThread&) = delete;
  ProxyThread& operator=(const ProxyThread&) = delete;
  ~ProxyThread() { static_cast<void>(end()); }

  [[nodiscard]] std::string url() const { return "http://me:pw@127.0.0.1:" + std::to_string(proxy_.port()); }
  // The requests that it got. Stops the proxy.
  [[nodiscard]] std::vector<std::string> end() {
    if (thread_.joinable()) {
      boost::asio::post(loop_.executor(), [this] { end_.notify_all(); });
      thread_.join();
    }
    return proxy_.asked();
  }

 private:
  boost::asio::awaitable<void> run() {
    co_await end_.wait();
    co_await proxy_.stop();
  }

  sandbox::loop::TestLoop loop_;
  async::Notify end_;
  TestProxy proxy_;
  std::thread thread_;
};

// A service account with all permissions, whose tokens are revoked when a Secret is deleted.
class Account {
 public:
  Account() {
    const auto& ns = space_.name();
    kubectl({"create", "serviceaccount", "worker", "-n", ns});
    kubectl({"create", "clusterrolebinding", ns, "--clusterrole=cluster-admin", "--serviceaccount=" + ns + ":worker"});
  }
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;
  ~Account() { (void)try_kubectl({"delete", "clusterrolebinding", space_.name()}); }

  [[nodiscard]] const std::string& ns() const { return space_.name(); }
  [[nodiscard]] std::string token(const std::string& secret) const {
    kubectl({"create", "secret", "generic", secret, "-n", ns()});
    auto token = kubectl(
        {"create", "token", "worker", "-n", ns(), "--bound-object-kind=Secret", "--bound-object-name=" + secret});
    return token.substr(0, token.find('\n'));
  }
  // Waits until the API server, which caches valid tokens for a while, rejects the token.
  void revoke(const std::string& secret, const std::string& token) const {
    kubectl({"delete", "secret", secret, "-n", ns()});
    auto server = kubectl({"config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"});
    eventually("the old token is rejected", [&] {
      auto output = try_kubectl({"get", "namespaces", "--kubeconfig=/dev/null", "--insecure-skip-tls-verify",
                                 "--server=" + server, "--token=" + token});
      return output.text.find("Unauthorized") != std::string::npos ||
             output.text.find("must be logged in") != std::string::npos;
    });
  }

 private:
  Namespace space_;
};

// A kubeconfig and the files that it names.
class CredentialFolder : public TemporaryFolder {
 public:
  // The admin's server with another user; `more_of_cluster` is JSON members and a comma, or nothing.
  [[nodiscard]] std::string kubeconfig(const std::string& user, const std::string& more_of_cluster = "") const {
    auto document = json::Document::parse(kubectl({"config", "view", "--raw", "--minify", "-o", "json"}));
    REQUIRE(document.has_value());
    auto cluster = document->root().find("clusters").item(0).find("cluster").text();
    cluster.insert(1, more_of_cluster);
    return write("kubeconfig", R"({"current-context":"c","clusters":[{"name":"c","cluster":)" + cluster +
                                   R"(}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],)" +
                                   R"("users":[{"name":"u","user":)" + user + "}]}");
  }
};

}  // namespace keelson::testing
