// deploy/webhook-guard.yaml on a real API server: the manager's service account can change the caBundle of the webhook
// configurations and nothing else, even if its RBAC rules allow more.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/container.hpp"
#include "test/cluster/harness/deployment.hpp"

namespace keelson::testing {
namespace {

constexpr const char* kAsManager = "--as=system:serviceaccount:keelson-system:keelson-controller-manager";
constexpr const char* kDenial = "The manager may change the caBundle of a webhook only.";
constexpr const char* kCollections = "/apis/admissionregistration.k8s.io/v1/";

struct Configuration {
  std::string kind;
  std::string name;
};
const Configuration kMutating{"mutatingwebhookconfiguration", "keelson-mutating-webhook-configuration"};
const Configuration kValidating{"validatingwebhookconfiguration", "keelson-validating-webhook-configuration"};

// A JSON patch.
struct Change {
  std::string what;
  std::string patch;
};

std::string add(const std::string& path, const std::string& value) {
  return R"({"op":"add","path":")" + path + R"(","value":)" + value + "}";
}

Change adds(const std::string& path, const std::string& value) { return {path, "[" + add(path, value) + "]"}; }

std::string webhook(const std::string& name) {
  return R"({"name":")" + name +
         R"(","admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Ignore",)" +
         R"("clientConfig":{"service":{"namespace":"keelson-system","name":"keelson-webhook-service"}},)" +
         R"("rules":[{"apiGroups":["none.example"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["none"]}]})";
}

const std::vector<Change> kBundles{
    adds("/webhooks/0/clientConfig/caBundle", R"("YQ==")"),
    adds("/webhooks/1/clientConfig/caBundle", R"("YQ==")"),
    {"no caBundle", R"([{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}])"},
};

// The configurations have two webhooks.
const std::vector<Change> kDenied{
    adds("/webhooks/0/name", R"("renamed.kb.io")"),
    adds("/webhooks/0/rules/0/resources/-", R"("pods")"),
    adds("/webhooks/0/rules/0/apiGroups", R"(["*"])"),
    adds("/webhooks/0/rules/0/operations/-", R"("DELETE")"),
    adds("/webhooks/0/rules/-",
         R"({"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["secrets"]})"),
    adds("/webhooks/0/clientConfig/service/name", R"("other")"),
    adds("/webhooks/0/clientConfig/service/namespace", R"("other")"),
    adds("/webhooks/0/clientConfig/service/path", R"("/other")"),
    adds("/webhooks/0/clientConfig/service/port", "8443"),
    adds("/webhooks/0/clientConfig", R"({"url":"https://other.example"})"),
    adds("/webhooks/0/failurePolicy", R"("Ignore")"),
    adds("/webhooks/0/matchPolicy", R"("Exact")"),
    adds("/webhooks/0/namespaceSelector", R"({"matchLabels":{"a":"b"}})"),
    adds("/webhooks/0/objectSelector", R"({"matchLabels":{"a":"b"}})"),
    adds("/webhooks/0/matchConditions", R"([{"name":"never","expression":"false"}])"),
    adds("/webhooks/0/sideEffects", R"("NoneOnDryRun")"),
    adds("/webhooks/0/timeoutSeconds", "1"),
    adds("/webhooks/0/admissionReviewVersions/-", R"("v1beta1")"),
    adds("/webhooks/1/matchPolicy", R"("Exact")"),
    adds("/webhooks/-", webhook("third.kb.io")),
    {"one webhook less", R"([{"op":"remove","path":"/webhooks/1"}])"},
    {"no webhooks", R"([{"op":"remove","path":"/webhooks"}])"},
    {"another order", R"([{"op":"move","from":"/webhooks/1","path":"/webhooks/0"}])"},
    {"one webhook in place of another",
     "[" + add("/webhooks/1", webhook("third.kb.io")) + R"(,{"op":"remove","path":"/webhooks/0"}])"},
    {"rules with the caBundle", "[" + add("/webhooks/0/clientConfig/caBundle", R"("YQ==")") + "," +
                                    add("/webhooks/0/rules/0/resources/-", R"("pods")") + "]"},
    adds("/metadata/labels", R"({"a":"b"})"),
    adds("/metadata/annotations/a", R"("b")"),
    {"no annotations", R"([{"op":"remove","path":"/metadata/annotations"}])"},
    adds("/metadata/ownerReferences", R"([{"apiVersion":"v1","kind":"Node","name":"absent","uid":"absent"}])"),
    adds("/metadata/finalizers", R"(["example.com/held"])"),
    adds("/metadata/generateName", R"("a")"),
};

// Uses a dry run, which evaluates the admission policies, too.
Output try_as_manager(const Configuration& configuration, const std::string& patch) {
  return try_kubectl({"patch", configuration.kind, configuration.name, "--type=json", "--patch=" + patch,
                      "--dry-run=server", kAsManager});
}

bool is_denied(const Output& output) { return output.exit_code != 0 && output.text.find(kDenial) != std::string::npos; }

// The policy, which is in force until this is destroyed.
class Guard {
 public:
  Guard() {
    kubectl({"apply", "-f", file()});
    eventually("the policy is in force", [] {
      return is_denied(try_as_manager(kMutating, kDenied.front().patch)) &&
             is_denied(try_as_manager(kValidating, kDenied.front().patch));
    });
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { (void)try_kubectl({"delete", "--ignore-not-found", "-f", file()}); }

 private:
  static std::string file() { return std::string(KEELSON_SOURCE_DIR) + "/deploy/webhook-guard.yaml"; }
};

// Every verb on webhook configurations, for the manager's service account.
class AllVerbs {
 public:
  AllVerbs() {
    kubectl({"create", "clusterrole", kName, "--verb=*",
             "--resource=mutatingwebhookconfigurations,validatingwebhookconfigurations"});
    kubectl({"create", "clusterrolebinding", kName, std::string("--clusterrole=") + kName,
             "--serviceaccount=keelson-system:keelson-controller-manager"});
    eventually("RBAC allows every verb", [] {
      return try_kubectl({"auth", "can-i", "deletecollection", kMutating.kind, kAsManager}).exit_code == 0;
    });
  }
  AllVerbs(const AllVerbs&) = delete;
  AllVerbs& operator=(const AllVerbs&) = delete;
  ~AllVerbs() { (void)try_kubectl({"delete", "clusterrole,clusterrolebinding", kName, "--ignore-not-found"}); }

 private:
  static constexpr const char* kName = "guard-test-all-verbs";
};

std::string bundle_of(const Configuration& configuration) {
  return kubectl(
      {"get", configuration.kind, configuration.name, "-o", "jsonpath={.webhooks[0].clientConfig.caBundle}"});
}

void check_bundles_pass(const Configuration& configuration) {
  for (const auto& change : kBundles) {
    const auto output = try_as_manager(configuration, change.patch);
    INFO(configuration.kind << ": " << change.what << ": " << output.text);
    CHECK(output.exit_code == 0);
  }
}

void check_denied(const Configuration& configuration, const Change& change) {
  const auto output = try_as_manager(configuration, change.patch);
  INFO(configuration.kind << ": " << change.what << ": " << output.text);
  CHECK(is_denied(output));
}

void check_other_verbs_are_denied(const Configuration& configuration) {
  const auto collection = kCollections + configuration.kind + "s";
  const auto api_kind = configuration.kind == kMutating.kind ? "Mutating" : "Validating";
  const auto another = std::string(R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")") + api_kind +
                       R"(WebhookConfiguration","metadata":{"name":"another"},"webhooks":[)" +
                       webhook("another.kb.io") + "]}";
  const auto created = try_kubectl({"create", "--dry-run=server", kAsManager, "-f", "-"}, another);
  INFO(created.text);
  CHECK(is_denied(created));
  const auto deleted = try_kubectl({"delete", configuration.kind, configuration.name, "--dry-run=server", kAsManager});
  INFO(deleted.text);
  CHECK(is_denied(deleted));
  const auto all_deleted = try_kubectl({"delete", "--raw", collection + "?dryRun=All", kAsManager});
  INFO(all_deleted.text);
  CHECK(is_denied(all_deleted));
}

TEST_CASE("the webhook guard allows the manager to write only the caBundle of its webhooks, with any RBAC rules",
          "[deployed]") {
  Deployment deployment;
  const Guard guard;
  const auto pod = deployment.pod();
  Container manager(pod, "manager", manager_image());
  manager.wait_until_ready();
  for (const auto& configuration : {kMutating, kValidating}) {
    eventually("the manager writes the caBundle of the " + configuration.kind,
               [&] { return !bundle_of(configuration).empty(); });
    kubectl({"patch", configuration.kind, configuration.name, "--type=json",
             "--patch=" + adds("/webhooks/-", webhook("second.kb.io")).patch});

    check_bundles_pass(configuration);
    for (const auto& change : kDenied) check_denied(configuration, change);
  }
  check_denied(kMutating, adds("/webhooks/0/reinvocationPolicy", R"("IfNeeded")"));

  const AllVerbs all_verbs;
  check_other_verbs_are_denied(kMutating);
  check_other_verbs_are_denied(kValidating);
  CHECK(manager.terminate() == 0);
}

}  // namespace
}  // namespace keelson::testing
