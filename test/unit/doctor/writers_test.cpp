#include "src/doctor/writers.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

Ids ids_of_child(const std::string& managed_fields, const std::string& owner = "Boat") {
  const auto list = parsed(list_json(
      R"({"metadata":{"name":"c","namespace":"n","ownerReferences":[{"apiVersion":"sea.example.com/v1","kind":")" +
      owner + R"(","controller":true}],"managedFields":[)" + managed_fields + "]}}"));
  Findings findings;
  check_writers(kube::deployments(), list.root(), {boats().resource}, kube::OperatorName("sea"), findings);
  return ids_of(findings);
}

std::string entry(const std::string& manager, const std::string& operation, const std::string& fields,
                  const std::string& more = "") {
  return R"({"manager":")" + manager + R"(","operation":")" + operation + R"(","fieldsV1":)" + fields + more + "}";
}

TEST_CASE("fields that this operator and another manager own are a finding") {
  const auto ours = entry("sea", "Apply", R"({"f:spec":{"f:replicas":{},"f:template":{"f:a":{}}}})");
  CHECK(ids_of_child(ours).empty());
  CHECK(ids_of_child(ours + "," + entry("kubectl", "Update", R"({"f:spec":{"f:paused":{}}})")).empty());
  CHECK(ids_of_child(ours + "," + entry("kubectl", "Update", R"({"f:spec":{"f:replicas":{}}})")) ==
        Ids{"fields-of-two-managers"});
  // Not our child, and not applied by us.
  CHECK(ids_of_child(ours + "," + entry("kubectl", "Update", R"({"f:spec":{"f:replicas":{}}})"), "Ship").empty());
  CHECK(ids_of_child(entry("kubectl", "Update", R"({"f:spec":{"f:replicas":{}}})")).empty());
}

TEST_CASE("containers of fields have many owners, and keys of list items identify a field") {
  const auto ours = entry("sea", "Apply", R"({"f:spec":{".":{},"f:c":{"k:{\"name\":\"m\"}":{".":{},"f:image":{}}}}})");
  const auto theirs = [](const char* key) {
    return "," +
           entry("x", "Apply",
                 std::string(R"({"f:spec":{".":{},"f:c":{"k:{\"name\":\")") + key + R"(\"}":{".":{},"f:image":{}}}}})");
  };
  CHECK(ids_of_child(ours + theirs("other")).empty());
  CHECK(ids_of_child(ours + theirs("m")) == Ids{"fields-of-two-managers"});
}

TEST_CASE("an update by this operator's name next to its apply is a finding") {
  const auto ours = entry("sea", "Apply", R"({"f:spec":{"f:replicas":{}}})");
  CHECK(ids_of_child(ours + "," + entry("sea", "Update", R"({"f:spec":{"f:paused":{}}})")) ==
        Ids{"field-manager-twice"});
  CHECK(ids_of_child(ours + "," + entry("sea", "Update", R"({"f:status":{}})", R"(,"subresource":"status")")).empty());
}

}  // namespace
}  // namespace keelson::doctor
