// config/default at work: its manager is started, probed and stopped as by a kubelet, with exactly the permissions of
// its roles.
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <sstream>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/container.hpp"
#include "test/cluster/harness/deployment.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::string kMutating = "mutatingwebhookconfiguration/keelson-mutating-webhook-configuration";
const std::string kValidating = "validatingwebhookconfiguration/keelson-validating-webhook-configuration";

// `object` is "KIND/NAME"; `ns` is empty for cluster-scoped kinds.
std::string value(const std::string& object, const std::string& path, const std::string& ns = "") {
  const auto slash = object.find('/');
  return value_of(object.substr(0, slash), object.substr(slash + 1), ns, path);
}

void wait_for(const std::string& object, const std::string& condition, const std::string& ns,
              const std::string& timeout = "60s") {
  kubectl({"wait", "--for=" + condition, object, "-n", ns, "--timeout=" + timeout});
}

std::size_t words_in(const std::string& text) {
  std::istringstream words(text);
  return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(words), {}));
}

// The manager with everything that it needs, as in the Deployment that the API server has.
struct Deployed {
  explicit Deployed(const std::string& tree = "config/default") : deployment(tree) { manager.wait_until_ready(); }

  void wait_for_bundles() const {
    eventually("the manager has written the CA for the API server", [] {
      const std::string bundle = ".webhooks[0].clientConfig.caBundle";
      return !value(kMutating, bundle).empty() && value(kMutating, bundle) == value(kValidating, bundle);
    });
  }
  [[nodiscard]] std::string lease_holder() const {
    return value("lease/keelson-manager", ".spec.holderIdentity", Deployment::kNamespace);
  }
  void check_that_nothing_was_rejected() const {
    for (const auto& request : audited_of(pod.user(), audit_from)) {
      INFO(request.verb << " " << request.resource << " " << request.name << " by " << request.agent);
      CHECK(request.code != 401);
    }
    // Not the words for a namespace of an earlier test that is being deleted.
    CHECK(manager.log().find("forbidden: User") == std::string::npos);
  }

  std::size_t audit_from = audit_end();
  Deployment deployment;
  Pod pod = deployment.pod();
  Container manager{pod, "manager", manager_image()};
};

TEST_CASE("the deployed manager becomes ready and leads, a second apply changes nothing, and it stops with exit code 0",
          "[deployed]") {
  Deployed deployed;
  deployed.wait_for_bundles();
  eventually("it leads", [&] { return deployed.lease_holder().starts_with(deployed.pod.name() + "_"); });
  auto versions = [] { return value(kMutating, ".metadata") + value(kValidating, ".metadata"); };
  auto before = versions();
  REQUIRE_FALSE(before.empty());

  std::istringstream applied(deployed.deployment.apply());
  for (std::string line; std::getline(applied, line);) {
    INFO(line);
    CHECK(line.ends_with(" unchanged"));
  }
  CHECK(versions() == before);

  CHECK(deployed.manager.terminate() == 0);
  CHECK(deployed.lease_holder().empty());
  deployed.check_that_nothing_was_rejected();
}

void check_cronjob(const std::string& ns) {
  const std::string sample = "cronjobs.batch.tutorial.kubebuilder.io/cronjob-sample";
  CHECK(value(sample, ".spec.suspend", ns) == "false");
  CHECK(value(sample, ".spec.successfulJobsHistoryLimit", ns) == "3");
  CHECK(value(sample, ".spec.failedJobsHistoryLimit", ns) == "1");
  eventually(
      "a minute has begun, and the sample's Job with it",
      [&] {
        auto owners = values_of("jobs", ns, ".metadata.ownerReferences[0].name");
        return !owners.empty() && owners.front() == "cronjob-sample";
      },
      90s);
  eventually("its status says so", [&] { return !value(sample, ".status.lastScheduleTime", ns).empty(); });
}

void check_song(const std::string& ns) {
  // The length of the song is random: half a second a word, and on average 32 words.
  wait_for("hikawa/hikawa-sample", "condition=Ready", ns, "300s");
  CHECK(value("kiyoshis/hikawa-sample-kiyoshi", ".spec.say", ns) == "Kiyoshi!");
  // The last one is the sample of Zundoko itself.
  auto words = values_of("zundokos", ns, ".spec.say").size();
  REQUIRE(words > 0);
  CHECK(value("hikawa/hikawa-sample", ".status.numZundokosSaid", ns) == std::to_string(words - 1));
}

TEST_CASE(
    "G6: every sample works with the deployed permissions, the CronJob through the webhooks of the deployed Service",
    "[deployed]") {
  Deployed deployed;
  deployed.deployment.lead_webhooks_here();
  deployed.wait_for_bundles();
  Namespace space;
  const auto& ns = space.name();

  std::string said;
  eventually("the samples are accepted", [&] {
    auto applied = try_kubectl({"apply", "-n", ns, "-k", std::string(KEELSON_SOURCE_DIR) + "/config/samples"});
    said = applied.text;
    return applied.exit_code == 0;
  });
  INFO(said);
  wait_for("memcached/memcached-sample", "condition=Ready", ns);
  CHECK(words_in(value("memcached/memcached-sample", ".status.nodes[*]", ns)) == 3);
  wait_for("bluegreen/demo", "condition=Ready", ns);
  CHECK(value("service/demo", R"(.spec.selector.app\.kubernetes\.io/phase)", ns) == "Blue");
  wait_for("guestbook/guestbook-sample", "condition=Ready", ns);
  check_cronjob(ns);
  check_song(ns);
  auto rejected = try_kubectl({"patch", "cronjobs.batch.tutorial.kubebuilder.io", "cronjob-sample", "-n", ns,
                               "--type=merge", "-p", R"({"spec":{"schedule":"every day"}})"});
  CHECK(rejected.exit_code != 0);
  CHECK(rejected.text.find(
            "spec.schedule: Invalid value: \"every day\": Expected exactly 5 fields, found 2: every day") !=
        std::string::npos);

  deployed.check_that_nothing_was_rejected();
  CHECK(deployed.manager.terminate() == 0);
}

TEST_CASE("the namespaced variant works in its own namespace, without permissions elsewhere", "[deployed]") {
  Deployed deployed("kustomize/namespaced");
  const std::string ns = Deployment::kNamespace;

  kubectl({"apply", "-n", ns, "-k", std::string(KEELSON_SOURCE_DIR) + "/config/samples"});
  wait_for("memcached/memcached-sample", "condition=Ready", ns);
  wait_for("bluegreen/demo", "condition=Ready", ns);
  wait_for("guestbook/guestbook-sample", "condition=Ready", ns);

  auto elsewhere = try_kubectl({"auth", "can-i", "list", "pods", "-n", "default", "--as=" + deployed.pod.user()});
  CHECK(elsewhere.text == "no\n");
  deployed.check_that_nothing_was_rejected();
  kubectl({"delete", "-n", ns, "-k", std::string(KEELSON_SOURCE_DIR) + "/config/samples"});
  CHECK(deployed.manager.terminate() == 0);
}

}  // namespace
}  // namespace keelson::testing
