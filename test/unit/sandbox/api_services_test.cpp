// The APIServices that the server creates itself, as kube-apiserver 1.36.3.
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::seconds;

const kube::Resource kDefinitions = kube::custom_resource_definitions();
const kube::Resource kApiServices("apiregistration.k8s.io", "v1", "APIService", "apiservices", false);
constexpr std::size_t kOfBuiltInGroups = 21;

ApiServerOptions whole_cluster() {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  options.has_controllers = false;
  return options;
}

std::string version(const std::string& name, bool is_served, bool is_stored) {
  return R"({"name":")" + name + R"(","served":)" + (is_served ? "true" : "false") + R"(,"storage":)" +
         (is_stored ? "true" : "false") + R"(,"schema":{"openAPIV3Schema":{"type":"object"}}})";
}

// A definition in group lamps.example with the versions v1 and v2.
std::string definition(const std::string& plural, bool is_v2_served) {
  return R"({"metadata":{"name":")" + plural +
         R"(.lamps.example"},"spec":{"group":"lamps.example","scope":"Cluster",)" + R"("names":{"plural":")" + plural +
         R"(","kind":"Kind)" + plural + R"("},"versions":[)" + version("v1", true, true) + "," +
         version("v2", is_v2_served, false) + "]}}";
}

struct Registered : Fleet {
  Registered() : Fleet(whole_cluster()) { pass(seconds(1)); }
  std::size_t of_definitions() { return count(kApiServices) - kOfBuiltInGroups; }
  std::string spec(const std::string& name) { return value(kApiServices, name, {"spec"}); }
  std::string label(const std::string& name) {
    return value(kApiServices, name, {"metadata", "labels", "kube-aggregator.kubernetes.io/automanaged"});
  }
};

TEST_CASE("each built-in group and version has an APIService, which is available") {
  Registered server;
  CHECK(server.count(kApiServices) == kOfBuiltInGroups);
  CHECK(server.spec("v1.") == R"({"version":"v1","groupPriorityMinimum":18000,"versionPriority":1})");
  CHECK(server.spec("v2.autoscaling") ==
        R"({"group":"autoscaling","version":"v2","groupPriorityMinimum":17500,"versionPriority":30})");
  CHECK(server.label("v1.apps") == "onstart");
  CHECK(server.value(kApiServices, "v1.apps", {"status", "conditions"}).find(R"("reason":"Local")") !=
        std::string::npos);

  server.remove(kApiServices, "v1.apps");
  server.pass(seconds(1));
  CHECK(server.count(kApiServices) == kOfBuiltInGroups - 1);
}

TEST_CASE("each version that a definition serves has an APIService, which is restored") {
  Registered server;
  server.create(kDefinitions, definition("as", true));
  server.create(kDefinitions, definition("bs", false));
  server.pass(seconds(1));
  CHECK(server.of_definitions() == 2);
  CHECK(server.spec("v1.lamps.example") ==
        R"({"group":"lamps.example","version":"v1","groupPriorityMinimum":1000,"versionPriority":100})");
  CHECK(server.label("v2.lamps.example") == "true");

  const auto uid = server.value(kApiServices, "v1.lamps.example", {"metadata", "uid"});
  server.remove(kApiServices, "v1.lamps.example");
  server.pass(seconds(1));
  CHECK(server.of_definitions() == 2);
  CHECK(server.value(kApiServices, "v1.lamps.example", {"metadata", "uid"}) != uid);
  server.patch(kApiServices, "v1.lamps.example", R"({"spec":{"versionPriority":7}})");
  server.pass(seconds(1));
  CHECK(server.spec("v1.lamps.example") ==
        R"({"group":"lamps.example","version":"v1","groupPriorityMinimum":1000,"versionPriority":100})");

  server.patch(kDefinitions, "as.lamps.example",
               R"({"spec":{"versions":[)" + version("v1", true, true) + "," + version("v2", false, false) + "]}}");
  server.pass(seconds(1));
  CHECK(server.of_definitions() == 1);

  server.remove(kDefinitions, "as.lamps.example");
  server.pass(seconds(1));
  CHECK(server.of_definitions() == 1);
  server.remove(kDefinitions, "bs.lamps.example");
  server.pass(seconds(1));
  CHECK(server.of_definitions() == 0);
}

TEST_CASE("an APIService with the label of the server and no definition is deleted") {
  Registered server;
  server.create(
      kApiServices,
      R"({"metadata":{"name":"v1.none.example","labels":{"kube-aggregator.kubernetes.io/automanaged":"true"}},)"
      R"("spec":{"group":"none.example","version":"v1","groupPriorityMinimum":10,"versionPriority":10}})");
  server.pass(seconds(1));

  CHECK(server.of_definitions() == 0);
}

TEST_CASE("an APIService that a user creates remains when the definition of its version is gone") {
  Registered server;
  server.create(kApiServices,
                R"({"metadata":{"name":"v1.lamps.example"},"spec":{"group":"lamps.example","version":"v1",)"
                R"("groupPriorityMinimum":10,"versionPriority":10}})");
  server.create(kDefinitions, definition("as", false));
  server.pass(seconds(1));
  server.remove(kDefinitions, "as.lamps.example");
  server.pass(seconds(1));

  CHECK(server.of_definitions() == 1);
}

}  // namespace
}  // namespace keelson::sandbox
