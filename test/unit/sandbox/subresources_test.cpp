// Subresources and immutable fields, with the messages of kube-apiserver 1.36 (pkg/registry, pkg/apis/*/validation).
#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/storage/tree.hpp"
#include "test/unit/sandbox/certificate_request.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using kube::Key;
using kube::Verb;

struct Parts : Talk {
  void make(const kube::Resource& resource, const std::string& body) {
    auto made = ask(kube::create(client(), resource, resource.namespaced ? "default" : "", body));
    INFO((made ? "" : made.error().text));
    REQUIRE(made);
  }
  Result<kube::ApiReply> send(kube::Verb verb, const kube::Resource& resource, const std::string& name,
                              const std::string& subresource, const std::string& body,
                              kube::PatchType type = kube::PatchType::kMerge) {
    kube::ApiRequest request;
    request.verb = verb;
    request.resource = resource;
    request.key = Key(resource.namespaced ? "default" : "", name);
    request.subresource = subresource;
    request.patch_type = type;
    request.body = body;
    if (type == kube::PatchType::kApply) request.query = {{"fieldManager", "tester"}};
    return ask(client().send(request));
  }
  Tree read(const kube::Resource& resource, const std::string& name) {
    auto object = ask(kube::get(client(), resource, Key(resource.namespaced ? "default" : "", name)));
    REQUIRE(object);
    return *Tree::parse(object->json());
  }
};

const kube::Resource kRequests("certificates.k8s.io", "v1", "CertificateSigningRequest", "certificatesigningrequests",
                               false);
const kube::Resource kClusterRoles("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false);
const char* const kDeployment =
    R"({"metadata":{"name":"web","labels":{"a":"1"}},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},)"
    R"("template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i:1"}]}}}})";

TEST_CASE("a kind serves its own subresources, and no proxy") {
  Parts parts;
  parts.make(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  parts.make(kube::deployments(), kDeployment);
  parts.make(kube::config_maps(), R"({"metadata":{"name":"c"}})");
  struct Row {
    kube::Resource resource;
    const char* name;
    const char* subresource;
    bool is_served;
  };
  const Row rows[] = {{kube::pods(), "p", "status", true},
                      {kube::pods(), "p", "resize", true},
                      {kube::pods(), "p", "scale", false},
                      {kube::pods(), "p", "proxy", false},
                      {kube::pods(), "p", "nothing", false},
                      {kube::deployments(), "web", "scale", true},
                      {kube::deployments(), "web", "status", true},
                      {kube::deployments(), "web", "resize", false},
                      {kube::deployments(), "web", "approval", false},
                      {kube::config_maps(), "c", "status", false}};

  for (const auto& row : rows) {
    INFO(row.resource.plural << "/" << row.subresource);
    const auto reply = parts.send(Verb::kGet, row.resource, row.name, row.subresource, "");
    CHECK(reply.has_value() == row.is_served);
    if (!reply) CHECK(reply.error().code == 404);
  }
}

TEST_CASE("a scheduler binds a pod to a node once") {
  Parts parts;
  parts.make(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  auto bind = [&](const std::string& node) {
    return parts.send(kube::Verb::kCreate, kube::pods(), "p", "binding",
                      R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":")" + node + "\"}}");
  };

  REQUIRE(bind("n1"));
  auto again = bind("n2");

  auto pod = parts.read(kube::pods(), "p");
  CHECK(pod.text_at({"spec", "nodeName"}) == "n1");
  CHECK(pod.at({"status", "conditions"})->items()[0].text_at({"type"}) == "PodScheduled");
  REQUIRE_FALSE(again);
  CHECK(again.error().code == 409);
  CHECK(again.error().server_text.find(R"(pod p is already assigned to node "n1")") != std::string::npos);
}

TEST_CASE("an approval changes the conditions of a certificate signing request, and not its spec") {
  Parts parts;
  parts.make(kRequests, R"({"metadata":{"name":"r"},"spec":{"signerName":"ex.com/s","usages":["any"],"request":")" +
                            fixtures::kCertificateRequest + R"("}})");

  auto approved = parts.send(kube::Verb::kPatch, kRequests, "r", "approval",
                             R"({"spec":{"signerName":"ex.com/other"},)"
                             R"("status":{"conditions":[{"type":"Approved","status":"True"}]}})");
  auto changed = parts.send(kube::Verb::kPatch, kRequests, "r", "", R"({"spec":{"signerName":"ex.com/other"}})");

  CHECK(approved);
  auto request = parts.read(kRequests, "r");
  CHECK(request.text_at({"spec", "signerName"}) == "ex.com/s");
  CHECK(request.at({"status", "conditions"}) != nullptr);
  CHECK(changed);  // and the specification remains
}

TEST_CASE("the owner of an applied scale is recorded for the subresource") {
  Parts parts;
  parts.make(kube::deployments(), kDeployment);

  auto applied =
      parts.send(kube::Verb::kPatch, kube::deployments(), "web", "scale",
                 R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":1}})", kube::PatchType::kApply);

  REQUIRE(applied);
  CHECK(Tree::parse(applied->body)->text_at({"kind"}) == "Scale");
  auto managers = parts.read(kube::deployments(), "web").at({"metadata", "managedFields"})->text();
  CHECK(managers.find(R"("operation":"Apply")") != std::string::npos);
  CHECK(managers.find(R"("subresource":"scale")") != std::string::npos);
}

TEST_CASE("an applied scale sets the field that the definition names") {
  Parts parts;
  const kube::Resource gadgets("ex.com", "v1", "Gadget", "gadgets");
  parts.make(
      kube::custom_resource_definitions(),
      R"({"metadata":{"name":"gadgets.ex.com"},"spec":{"group":"ex.com","scope":"Namespaced","names":)"
      R"({"kind":"Gadget","plural":"gadgets"},"versions":[{"name":"v1","served":true,"storage":true,)"
      R"("subresources":{"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.size"}},)"
      R"("schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":)"
      R"({"size":{"type":"integer"}}},"status":{"type":"object","properties":{"size":{"type":"integer"}}}}}}}]}})");
  parts.make(gadgets, R"({"apiVersion":"ex.com/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{}})");
  auto apply = [&parts, &gadgets](const std::string& spec) {
    return parts.send(kube::Verb::kPatch, gadgets, "g", "scale",
                      R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":)" + spec + "}", kube::PatchType::kApply);
  };

  const auto applied = apply(R"({"replicas":3})");
  const auto wrong = apply(R"({"size":4})");

  REQUIRE(applied);
  CHECK(Tree::parse(applied->body)->at({"spec"})->text() == R"({"replicas":3})");
  CHECK(parts.read(gadgets, "g").at({"spec"})->text() == R"({"size":3})");
  REQUIRE_FALSE(wrong);
  CHECK(
      wrong.error().server_text ==
      "failed to create typed patch object (/; autoscaling/v1, Kind=Scale): .spec.size: field not declared in schema");
}

TEST_CASE("a status write changes annotations too, and for most kinds labels") {
  Parts parts;
  parts.make(kube::deployments(), kDeployment);
  parts.make(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  const char* patch = R"({"metadata":{"annotations":{"x":"1"},"labels":{"b":"2"}},"spec":{"nodeName":"n"}})";

  CHECK(parts.send(kube::Verb::kPatch, kube::deployments(), "web", "status", patch));
  CHECK(parts.send(kube::Verb::kPatch, kube::pods(), "p", "status", patch));

  auto deployment = parts.read(kube::deployments(), "web");
  auto pod = parts.read(kube::pods(), "p");
  CHECK(deployment.text_at({"metadata", "annotations", "x"}) == "1");
  CHECK(deployment.at({"metadata", "labels", "b"}) == nullptr);
  CHECK(pod.text_at({"metadata", "labels", "b"}) == "2");
  CHECK(pod.text_at({"spec", "nodeName"}).empty());
}

TEST_CASE("a write of ephemeral containers changes nothing else") {
  Parts parts;
  parts.make(kube::pods(), R"({"metadata":{"name":"p","labels":{"a":"b"}},)"
                           R"("spec":{"containers":[{"name":"c","image":"old"}]}})");
  auto written =
      parts.send(Verb::kUpdate, kube::pods(), "p", "ephemeralcontainers",
                 R"({"metadata":{"name":"p"},"spec":{"ephemeralContainers":[{"name":"e","image":"debug"}]}})");
  REQUIRE(written);
  auto patched = parts.send(Verb::kPatch, kube::pods(), "p", "ephemeralcontainers",
                            R"({"spec":{"containers":[],"ephemeralContainers":[)"
                            R"({"name":"e","image":"debug"},{"name":"f","image":"debug"}]}})");
  REQUIRE(patched);
  auto pod = parts.read(kube::pods(), "p");
  CHECK(pod.text_at({"metadata", "labels", "a"}) == "b");
  CHECK(pod.at({"spec", "containers"})->items()[0].text_at({"image"}) == "old");
  REQUIRE(pod.at({"spec", "ephemeralContainers"})->items().size() == 2);
  CHECK(pod.at({"spec", "ephemeralContainers"})->items()[1].text_at({"name"}) == "f");
}

TEST_CASE("ephemeral containers can only be added, and a resize cannot rename containers") {
  Parts parts;
  parts.make(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  REQUIRE(parts.send(Verb::kPatch, kube::pods(), "p", "ephemeralcontainers",
                     R"({"spec":{"ephemeralContainers":[{"name":"e","image":"debug"}]}})"));
  auto rejection = [&parts](const char* subresource, const char* patch) {
    auto answer = parts.send(Verb::kPatch, kube::pods(), "p", subresource, patch);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == 422);
    return answer.error().message();
  };
  auto says = [](const std::string& message, const char* what) { return message.find(what) != std::string::npos; };

  CHECK(says(rejection("ephemeralcontainers", R"({"spec":{"ephemeralContainers":[]}})"),
             R"(spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be removed)"));
  CHECK(says(rejection("ephemeralcontainers", R"({"spec":{"ephemeralContainers":[{"name":"e","image":"other"}]}})"),
             R"(existing ephemeral containers "e" may not be changed)"));
  CHECK(says(rejection("resize", R"({"spec":{"containers":[{"name":"x"}]}})"),
             "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize"));
  CHECK(says(rejection("resize", R"({"spec":{"containers":[{"name":"c"},{"name":"x"}]}})"),
             "spec.containers: Forbidden: containers may not be added or removed on resize"));

  const auto before = parts.read(kube::pods(), "p").text();
  REQUIRE(parts.send(Verb::kPatch, kube::pods(), "p", "resize", R"({"spec":{"initContainers":[]}})"));
  CHECK(parts.read(kube::pods(), "p").text() == before);
}

TEST_CASE("a resize only changes the resources of containers") {
  Parts parts;
  parts.make(kube::pods(),
             R"({"metadata":{"name":"p"},"spec":{"containers":[)"
             R"({"name":"c","image":"old","resources":{"requests":{"cpu":"1"}}},{"name":"d","image":"old"}]}})");
  auto resized = parts.send(Verb::kPatch, kube::pods(), "p", "resize",
                            R"({"spec":{"priority":7,"containers":[{"name":"c","image":"new",)"
                            R"("resources":{"requests":{"cpu":"2"}}},{"name":"d"}]}})");
  REQUIRE(resized);
  auto pod = parts.read(kube::pods(), "p");
  const auto& containers = pod.at({"spec", "containers"})->items();
  REQUIRE(containers.size() == 2);
  CHECK(containers[0].text_at({"image"}) == "old");
  CHECK(containers[0].text_at({"resources", "requests", "cpu"}) == "2");
  CHECK(containers[1].text_at({"name"}) == "d");
  CHECK(containers[1].at({"resources", "requests"}) == nullptr);
  CHECK(pod.integer_at({"spec", "priority"}) != 7);
}

TEST_CASE("an apply to a subresource of a pod neither stores nor owns other fields") {
  Parts parts;
  parts.make(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"old"}]}})");
  const std::string front = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},"spec":{)";
  REQUIRE(parts.send(
      Verb::kPatch, kube::pods(), "p", "resize",
      front + R"("priority":7,"containers":[{"name":"c","image":"new","resources":{"requests":{"cpu":"2"}}}]}})",
      kube::PatchType::kApply));
  REQUIRE(parts.send(Verb::kPatch, kube::pods(), "p", "ephemeralcontainers",
                     front + R"("priority":7,"ephemeralContainers":[{"name":"e","image":"debug"}]}})",
                     kube::PatchType::kApply));
  auto pod = parts.read(kube::pods(), "p");
  CHECK(pod.at({"metadata", "labels"}) == nullptr);
  CHECK(pod.at({"spec", "containers"})->items()[0].text_at({"image"}) == "old");
  CHECK(pod.at({"spec", "containers"})->items()[0].text_at({"resources", "requests", "cpu"}) == "2");
  CHECK(pod.at({"spec", "ephemeralContainers"})->items().size() == 1);
  CHECK(pod.integer_at({"spec", "priority"}) != 7);
  CHECK(pod.at({"metadata", "managedFields"})->text().find("f:labels") == std::string::npos);
}

TEST_CASE("changes of immutable fields are rejected") {
  Parts parts;
  const kube::Resource kBindings("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings");
  const kube::Resource kSecrets("", "v1", "Secret", "secrets");
  parts.make(kSecrets, R"({"metadata":{"name":"s"},"type":"ex.com/a"})");
  parts.make(kube::config_maps(), R"({"metadata":{"name":"m"},"immutable":true,"data":{"a":"1"}})");
  parts.make(
      kBindings,
      R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"}})");
  parts.make(kube::deployments(), kDeployment);
  struct {
    kube::Resource resource;
    const char* name;
    const char* patch;
    const char* says;
  } const rows[] = {
      {kSecrets, "s", R"({"type":"ex.com/b"})", R"(type: Invalid value: "ex.com/b": field is immutable)"},
      {kube::config_maps(), "m", R"({"data":{"a":"2"}})",
       "data: Forbidden: field is immutable when `immutable` is set"},
      {kBindings, "b", R"({"roleRef":{"name":"other"}})", "cannot change roleRef"},
      {kube::deployments(), "web", R"({"spec":{"selector":{"matchLabels":{"app":"x"}}}})", "field is immutable"},
  };
  for (const auto& row : rows) {
    INFO(row.patch);
    auto changed = parts.send(kube::Verb::kPatch, row.resource, row.name, "", row.patch);
    REQUIRE_FALSE(changed);
    CHECK(changed.error().code == 422);
    CHECK(changed.error().server_text.find(row.says) != std::string::npos);
  }
  CHECK(parts.send(kube::Verb::kPatch, kube::config_maps(), "m", "", R"({"metadata":{"labels":{"a":"b"}}})"));
}

TEST_CASE("names of roles need not be DNS names") {
  Parts parts;
  parts.make(kClusterRoles, R"({"metadata":{"name":"System:My_Role"}})");

  auto rejected = parts.ask(kube::create(parts.client(), kClusterRoles, "", R"({"metadata":{"name":"a/b"}})"));

  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().server_text.find(R"(metadata.name: Invalid value: "a/b": may not contain '/')") !=
        std::string::npos);
}

TEST_CASE("a dry run of a creation may contain a resourceVersion") {
  Parts parts;
  kube::ApiRequest request;
  request.verb = kube::Verb::kCreate;
  request.resource = kube::config_maps();
  request.key = Key("default", "");
  request.body = R"({"metadata":{"name":"m","resourceVersion":"7"}})";
  request.query = {{"dryRun", "All"}};

  CHECK(parts.ask(parts.client().send(request)));
  CHECK(parts.server.objects(kube::config_maps()).empty());
}

}  // namespace
}  // namespace keelson::sandbox
