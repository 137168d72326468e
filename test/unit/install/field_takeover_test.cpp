// The fields of a CRD that kubectl has applied: which of them become the operator's.
#include "src/install/field_takeover.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/json/patch.hpp"

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

const std::string kShortNames = R"({"f:spec":{"f:names":{"f:shortNames":{}}}})";
const std::string kGroup = R"({"f:spec":{"f:group":{}}})";

TEST_CASE("the fields of client-side applies and the own ones become one set of the operator") {
  CHECK(after(entry("kubectl-client-side-apply", "Update", kShortNames) + "," + entry("web", "Apply", kGroup)) ==
        "[" + entry("web", "Apply", R"({"f:spec":{"f:names":{"f:shortNames":{}},"f:group":{}}})") + "]");
  CHECK(after(entry("kubectl", "Apply", kGroup)) == "[" + entry("web", "Apply", kGroup) + "]");
  const std::string annotated =
      R"({"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}})";
  CHECK(after(entry("oc", "Update", annotated)) == "[" + entry("web", "Apply", annotated) + "]");
}

TEST_CASE("fields of other managers, of single changes and of the status are not taken over") {
  CHECK(after(entry("web", "Apply", kGroup)).empty());
  CHECK(after(entry("helm", "Update", kGroup) + "," + entry("kubectl-edit", "Update", kShortNames) + "," +
              entry("kubectl", "Update", kGroup, R"(,"subresource":"status")"))
            .empty());
  const auto helm = entry("helm", "Update", kGroup);
  CHECK(after(helm + "," + entry("kubectl-create", "Update", kShortNames)) ==
        "[" + helm + "," + entry("web", "Apply", kShortNames) + "]");
}

TEST_CASE("a conversion webhook of which another manager owns a part is not taken over") {
  const std::string conversion = R"({"f:spec":{"f:conversion":{"f:strategy":{}},"f:group":{}}})";
  const auto injector = entry("cainjector", "Update", R"({"f:spec":{"f:conversion":{"f:webhook":{}}}})");
  const auto kubectl = entry("kubectl-client-side-apply", "Update", conversion);

  CHECK(after(kubectl) == "[" + entry("web", "Apply", conversion) + "]");
  CHECK(after(kubectl + "," + injector) == "[" + injector + "," + entry("web", "Apply", kGroup) + "]");
}

TEST_CASE("a set of fields of an older version of the API only loses its owner") {
  auto old = entry("kubectl-client-side-apply", "Update", kShortNames);
  old.replace(old.find("k8s.io/v1"), 9, "k8s.io/v1beta1");

  CHECK(after(old + "," + entry("web", "Apply", kGroup)) == "[" + entry("web", "Apply", kGroup) + "]");
}

}  // namespace
}  // namespace keelson::install
