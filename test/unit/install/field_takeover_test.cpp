// The fields of a CRD that kubectl has applied: which of them become the operator's.
#include "src/install/field_takeover.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/patch.hpp"

namespace keelson::install {
namespace {

std::string entry(const std::string& manager, const std::string& operation, const std::string& fields,
                  const std::string& more = "") {
  return R"({"manager":")" + manager + R"(","operation":")" + operation +
         R"(","apiVersion":"apiextensions.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":)" + fields + more + "}";
}

std::string crd(const std::string& entries) {
  return R"({"metadata":{"name":"a","resourceVersion":"7","managedFields":[)" + entries + "]}}";
}

// The managedFields after the patch; empty without one.
std::string after(const std::string& entries) {
  const auto live = json::Document::parse(crd(entries));
  REQUIRE(live.has_value());
  const auto takeover = take_over_fields(live->root(), "web");
  if (!takeover) return "";
  CHECK(takeover->patch.find(R"({"op":"replace","path":"/metadata/resourceVersion","value":"7"})") !=
        std::string::npos);
  const auto patched = json::json_patch(live->root().text(), takeover->patch);
  REQUIRE(patched.has_value());
  const auto document = json::Document::parse(*patched);
  return document->root().at({"metadata", "managedFields"}).text();
}

const std::string kWhole = R"({"f:spec":{"f:names":{"f:shortNames":{}},"f:group":{}}})";
const std::string kShortNames = R"({"f:spec":{"f:names":{"f:shortNames":{}}}})";
const std::string kScope = R"({"f:spec":{"f:scope":{}}})";
const std::string kAnnotated =
    R"({"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}},)"
    R"("f:spec":{"f:names":{},"f:group":{}}})";

TEST_CASE("the fields of client-side applies and the own ones become one set of the operator") {
  CHECK(after(entry("kubectl-client-side-apply", "Update", kWhole) + "," + entry("web", "Apply", kScope)) ==
        "[" + entry("web", "Apply", R"({"f:spec":{"f:names":{"f:shortNames":{}},"f:group":{},"f:scope":{}}})") + "]");
  CHECK(after(entry("kubectl", "Apply", kWhole)) == "[" + entry("web", "Apply", kWhole) + "]");
  CHECK(after(entry("kubectl-client-side-apply", "Update", kAnnotated)) ==
        "[" + entry("web", "Apply", kAnnotated) + "]");
}

TEST_CASE("after kubectl create, a replace or apply that has changed some fields is taken over with it") {
  for (const auto* second : {"kubectl-replace", "kubectl-client-side-apply"}) {
    INFO(second);
    CHECK(after(entry(second, "Update", kScope) + "," + entry("kubectl-create", "Update", kWhole)) ==
          "[" + entry("web", "Apply", R"({"f:spec":{"f:scope":{},"f:names":{"f:shortNames":{}},"f:group":{}}})") + "]");
  }
}

TEST_CASE("fields of other managers, of single changes and of the status are not taken over") {
  CHECK(after(entry("web", "Apply", kWhole)).empty());
  CHECK(after(entry("helm", "Update", kWhole) + "," + entry("kubectl-edit", "Update", kWhole) + "," +
              entry("kubectl", "Update", kWhole, R"(,"subresource":"status")"))
            .empty());
  const auto helm = entry("helm", "Update", kWhole);
  CHECK(after(helm + "," + entry("kubectl-create", "Update", kWhole)) ==
        "[" + helm + "," + entry("web", "Apply", kWhole) + "]");
}

TEST_CASE("the fields of a program that writes kubectl's annotation are not kubectl's") {
  for (const auto* manager : {"argocd-controller", "oc"}) {
    INFO(manager);
    CHECK(after(entry(manager, "Update", kAnnotated)).empty());
    const auto other = entry(manager, "Update", kAnnotated);
    CHECK(after(other + "," + entry("kubectl-create", "Update", kWhole)) ==
          "[" + other + "," + entry("web", "Apply", kWhole) + "]");
  }
}

TEST_CASE("a server-side apply of some fields with kubectl stays, also next to a whole CRD") {
  for (const auto* operation : {"Apply", "Update"}) {
    for (const auto& fields : {kShortNames, kScope, std::string(R"({"f:spec":{"f:group":{}}})"),
                               std::string(R"({"f:metadata":{"f:labels":{"f:team":{}}}})")}) {
      INFO(operation << fields);
      const auto partial = entry("kubectl", operation, fields);
      CHECK(after(partial).empty());
      CHECK(after(partial + "," + entry("kubectl-create", "Update", kWhole)) ==
            "[" + partial + "," + entry("web", "Apply", kWhole) + "]");
    }
  }
  CHECK(after(entry("kubectl-client-side-apply", "Update", kShortNames)).empty());
}

TEST_CASE("a conversion webhook of which another manager owns a part is not taken over") {
  const std::string conversion = R"({"f:spec":{"f:conversion":{"f:strategy":{}},"f:group":{},"f:names":{}}})";
  const auto injector = entry("cainjector", "Update", R"({"f:spec":{"f:conversion":{"f:webhook":{}}}})");
  const auto kubectl = entry("kubectl-client-side-apply", "Update", conversion);

  CHECK(after(kubectl) == "[" + entry("web", "Apply", conversion) + "]");
  CHECK(after(kubectl + "," + injector) ==
        "[" + injector + "," + entry("web", "Apply", R"({"f:spec":{"f:group":{},"f:names":{}}})") + "]");
}

TEST_CASE("with a conversion webhook that stays, the annotations stay from which cainjector knows its CA") {
  const auto fields = [](const std::string& annotations, const std::string& conversion) {
    return R"({"f:metadata":{"f:annotations":{".":{})" + annotations + R"(}},"f:spec":{)" + conversion +
           R"("f:group":{},"f:names":{}}})";
  };
  const std::string team = R"(,"f:example.com/team":{})";
  const std::string ca = R"(,"f:cert-manager.io/inject-ca-from":{})";
  const std::string conversion = R"("f:conversion":{"f:strategy":{}},)";
  const auto injector = entry("cainjector", "Update", R"({"f:spec":{"f:conversion":{"f:webhook":{}}}})");
  const auto kubectl = entry("kubectl-client-side-apply", "Update", fields(team + ca, conversion));

  CHECK(after(kubectl + "," + injector) == "[" + injector + "," + entry("web", "Apply", fields(team, "")) + "]");
  CHECK(after(kubectl) == "[" + entry("web", "Apply", fields(team + ca, conversion)) + "]");
}

TEST_CASE("a set of fields of an older version of the API only loses its owner") {
  auto old = entry("kubectl-client-side-apply", "Update", kWhole);
  old.replace(old.find("k8s.io/v1"), 9, "k8s.io/v1beta1");

  CHECK(after(old + "," + entry("web", "Apply", kScope)) == "[" + entry("web", "Apply", kScope) + "]");
}

}  // namespace
}  // namespace keelson::install
