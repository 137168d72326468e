// `manager explain` as an engineer on call uses it: without an address, through the API server's proxy to the manager's
// pod.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

// An address of this machine to which the API server forwards requests: it rejects loopback addresses.
class PodAddress {
 public:
  PodAddress() { REQUIRE(run({"ip", "address", "add", text() + "/32", "dev", "lo"}).exit_code == 0); }
  PodAddress(const PodAddress&) = delete;
  PodAddress& operator=(const PodAddress&) = delete;
  ~PodAddress() { static_cast<void>(run({"ip", "address", "delete", text() + "/32", "dev", "lo"})); }

  [[nodiscard]] static std::string text() { return "10.99.81.1"; }
};

// A pod whose health port is that of a manager on this machine.
void create_pod(const std::string& ns, int port) {
  kubectl({"create", "-n", ns, "-f", "-"},
          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: manager\n  labels: {control-plane: controller-manager, "
          "app.kubernetes.io/name: keelson}\nspec:\n  containers:\n  - name: manager\n    image: manager\n    ports: "
          "[{name: health, containerPort: " +
              std::to_string(port) + "}]\n");
  kubectl({"wait", "pod", "manager", "-n", ns, "--for=condition=Ready", "--timeout=180s"});
  const auto& ip = PodAddress::text();
  kubectl({"patch", "pod", "manager", "-n", ns, "--subresource=status", "--type=merge", "-p",
           R"({"status":{"podIP":")" + ip + R"(","podIPs":[{"ip":")" + ip + R"("}]}})"});
}

// The default account of the namespace may read /debug/objects.
class PageReader {
 public:
  explicit PageReader(const std::string& ns) : name_("reader-" + ns) {
    kubectl({"create", "clusterrole", name_, "--verb=get", "--non-resource-url=/debug/objects"});
    kubectl({"create", "clusterrolebinding", name_, "--clusterrole=" + name_, "--serviceaccount=" + ns + ":default"});
  }
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;
  ~PageReader() {
    static_cast<void>(try_kubectl({"delete", "clusterrolebinding", name_}));
    static_cast<void>(try_kubectl({"delete", "clusterrole", name_}));
  }

 private:
  std::string name_;
};

}  // namespace

TEST_CASE("explain: through the API server's proxy to the manager's pod, with a token of the pod's account",
          "[proxy]") {
  install_crds();
  const PodAddress address;
  Namespace space;
  const auto port = free_port();
  Manager manager({"--health-probe-bind-address=" + PodAddress::text() + ":" + std::to_string(port)});
  create_pod(space.name(), port);
  // The manager has the user of the test, so that the pod's account needs the permission that its own user has anyway.
  const PageReader reader(space.name());
  kubectl({"apply", "-n", space.name(), "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 1}\n");
  kubectl({"wait", "memcached", "web", "-n", space.name(), "--for=condition=Ready", "--timeout=180s"});

  const auto answer =
      run({KEELSON_MANAGER, "explain", "memcached", space.name() + "/web", "--namespace", space.name()});

  INFO(answer.text);
  CHECK(answer.exit_code == 0);
  CHECK(answer.text.find("Memcached " + space.name() + "/web, controller memcached\n") != std::string::npos);
  CHECK(answer.text.find("Last reconciles\n") != std::string::npos);
}

}  // namespace keelson::testing
