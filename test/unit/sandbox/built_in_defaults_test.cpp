// The fields of built-in objects that the client did not send: defaults, and additions of admission plugins.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "test/unit/sandbox/http_talk.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

struct Filled : fixtures::Talk {
  explicit Filled(const ApiServerOptions& options = {}) : Talk(options) { pass(std::chrono::seconds(1)); }

  // The text at a path of the stored object that was created from this body.
  std::string stored(const kube::Resource& resource, const std::string& body,
                     std::initializer_list<std::string_view> path) {
    auto made = ask(kube::create(client(), resource, resource.namespaced ? "default" : "", body));
    if (!made) return made.error().text;
    auto document = json::Document::parse(made->json());
    return document->root().at(path).text();
  }
};

std::string pod_with(const std::string& container, const std::string& more = "") {
  return R"({"metadata":{"generateName":"p-"},"spec":{"containers":[{"name":"c","image":"i:1")" + container + "}]" +
         more + "}}";
}

TEST_CASE("probes, fields and volumes of pods have their defaults") {
  Filled server;

  CHECK(server.stored(kube::pods(), pod_with(R"(,"livenessProbe":{"httpGet":{"port":80}})"), {"spec", "containers"})
            .find(R"("livenessProbe":{"httpGet":{"port":80,"path":"/","scheme":"HTTP"},"timeoutSeconds":1,)"
                  R"("periodSeconds":10,"successThreshold":1,"failureThreshold":3})") != std::string::npos);
  CHECK(server.stored(kube::pods(), pod_with("", R"(,"volumes":[{"name":"a"},{"name":"b","configMap":{"name":"c"}}])"),
                      {"spec", "volumes"}) ==
        R"([{"name":"a","emptyDir":{}},{"name":"b","configMap":{"name":"c","defaultMode":420}}])");
  CHECK(server.stored(kube::pods(), pod_with(R"(,"resources":{"limits":{"cpu":"1","memory":"1Gi"}})"),
                      {"status", "qosClass"}) == R"("Guaranteed")");
  CHECK(server.stored(kube::pods(), pod_with(""), {"status"}) == R"({"phase":"Pending","qosClass":"BestEffort"})");
}

TEST_CASE("a pod of a complete cluster gets a ServiceAccount, a priority and tolerations") {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  Filled server(options);

  CHECK(server.stored(kube::pods(), pod_with(""), {"spec", "serviceAccountName"}) == R"("default")");
  CHECK(server.stored(kube::pods(), pod_with(""), {"spec", "priority"}) == "0");
  auto tolerations = server.stored(kube::pods(), pod_with(""), {"spec", "tolerations"});
  CHECK(tolerations.find(R"({"key":"node.kubernetes.io/unreachable","operator":"Exists")") != std::string::npos);
  auto volumes = server.stored(kube::pods(), pod_with(""), {"spec", "volumes"});
  CHECK(volumes.find("kube-api-access-") != std::string::npos);
  CHECK(server.stored(kube::pods(), pod_with("", R"(,"automountServiceAccountToken":false)"), {"spec", "volumes"}) ==
        "null");
}

TEST_CASE("each Service gets node ports of its own, and ExternalName ones get no address") {
  Filled server;
  auto service = [](const std::string& spec) {
    return R"({"metadata":{"generateName":"s-"},"spec":{)" + spec + R"("ports":[{"port":80}]}})";
  };

  auto first = server.stored(kube::services(), service(R"("type":"NodePort",)"), {"spec", "ports"});
  auto second = server.stored(kube::services(), service(R"("type":"LoadBalancer",)"), {"spec", "ports"});
  CHECK(first.find(R"("nodePort":3)") != std::string::npos);
  CHECK(first != second);
  CHECK(server.stored(kube::services(), service(R"("type":"ExternalName","externalName":"example.com",)"),
                      {"spec", "ipFamilies"}) == "null");
}

TEST_CASE("Namespaces get their name as a label, and Secrets get a type") {
  Filled server;
  const kube::Resource namespaces("", "v1", "Namespace", "namespaces", false);
  const kube::Resource secrets("", "v1", "Secret", "secrets");

  CHECK(server.stored(namespaces, R"({"metadata":{"name":"one"}})", {"metadata", "labels"}) ==
        R"({"kubernetes.io/metadata.name":"one"})");
  CHECK(server.stored(secrets, R"({"metadata":{"name":"one"}})", {"type"}) == R"("Opaque")");
}

TEST_CASE("a request for a container reports that no container runs, or an error of the request") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/pods",
                    R"({"metadata":{"name":"p"},"spec":{"containers":)"
                    R"([{"name":"c","image":"i:1"}]}})")
              .status == 201);
  const std::string pods = "/api/v1/namespaces/default/pods/";

  CHECK(talk.send("GET", pods + "p/log").status == 501);
  CHECK(talk.send("POST", pods + "p/exec?container=c&command=date").status == 501);
  CHECK(talk.send("GET", pods + "p/log?container=other").body.find("container other is not valid for pod p") !=
        std::string::npos);
  CHECK(talk.send("GET", pods + "none/log").status == 404);
}

}  // namespace
}  // namespace keelson::sandbox
