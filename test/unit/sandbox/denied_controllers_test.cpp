// The server's own controllers, whose writes an admission policy denies for a while.
#include "test/unit/sandbox/fleet.hpp"
#include "test/unit/sandbox/thing_definition.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using namespace fixtures::things;
using std::chrono::seconds;

const kube::Resource kPolicies("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy",
                               "validatingadmissionpolicies", false);
const kube::Resource kBindings("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding",
                               "validatingadmissionpolicybindings", false);

struct Denying : Fleet {
  // Denies updates of "customresourcedefinitions/status", for example.
  void deny(const std::string& group, const std::string& resource) {
    create(kPolicies, R"({"metadata":{"name":"frozen"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[")" +
                          group + R"("],"apiVersions":["v1"],"operations":["UPDATE"],"resources":[")" + resource +
                          R"("]}]},"validations":[{"expression":"false"}]}})");
    create(kBindings, R"({"metadata":{"name":"frozen"},"spec":{"policyName":"frozen","validationActions":["Deny"]}})");
    pass(seconds(1));
  }
  void allow() {
    remove(kPolicies, "frozen");
    pass(seconds(10));
  }
  std::string conditions() { return value(kDefinitions, kName, {"status", "conditions"}); }
};

TEST_CASE("a definition is established after a policy has denied its status") {
  Denying server;
  server.deny("apiextensions.k8s.io", "customresourcedefinitions/status");
  server.create(kDefinitions, kDefinition);
  server.pass(seconds(30));
  CHECK(server.conditions().find("Established") == std::string::npos);

  server.allow();
  CHECK(server.conditions().find(R"("type":"Established")") != std::string::npos);
}

TEST_CASE("the deletion of a definition continues after a policy has denied it") {
  Denying server;
  server.create(kDefinitions, kDefinition);
  server.pass(seconds(1));
  server.create(kThings, R"({"metadata":{"name":"held","finalizers":["hold.example/a"]}})");
  server.deny("apiextensions.k8s.io", "customresourcedefinitions/status");
  server.remove(kDefinitions, kName);
  server.patch(kThings, "held", R"({"metadata":{"finalizers":null}})");
  server.pass(seconds(30));
  CHECK(server.count(kDefinitions) == 1);

  server.allow();
  CHECK(server.count(kDefinitions) == 0);
}

TEST_CASE("the deletion of a namespace continues after a policy has denied it") {
  Denying server;
  server.create(kube::namespaces(), R"({"metadata":{"name":"ends"}})");
  server.deny("", "namespaces/finalize");
  server.remove(kube::namespaces(), "ends");
  server.pass(seconds(30));
  CHECK(server.value(kube::namespaces(), "ends", {"status", "phase"}) == "Terminating");

  server.allow();
  CHECK(server.value(kube::namespaces(), "ends", {"status", "phase"}) == "null");
}

TEST_CASE("the finalizer of a foreground deletion is removed after a policy has denied it") {
  Denying server;
  server.create(kube::config_maps(), R"({"metadata":{"name":"owner","finalizers":["foregroundDeletion"]}})");
  server.deny("", "configmaps");
  server.remove(kube::config_maps(), "owner");
  server.pass(seconds(30));
  CHECK(server.value(kube::config_maps(), "owner", {"metadata", "name"}) == "owner");

  server.allow();
  CHECK(server.value(kube::config_maps(), "owner", {"metadata", "name"}) == "null");
}

}  // namespace
}  // namespace keelson::sandbox
