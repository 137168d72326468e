// The status of every kind: before a manager has observed the object, and with conditions of other controllers.
#include <catch2/catch_test_macros.hpp>

#include "test/sim/cluster_with_user.hpp"
#include "test/sim/every_kind.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const kube::Key kOne("default", "one");
constexpr const char* kAudited =
    R"({"type":"Audited","status":"True","reason":"Seen","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"})";

// Writes as another client, next to the existing conditions.
void audit(ClusterWithUser& world, const kube::Resource& resource) {
  auto conditions = world.get(resource, kOne).root().at({"status", "conditions"}).text();
  REQUIRE(conditions.size() > 2);
  conditions.insert(conditions.size() - 1, std::string(",") + kAudited);
  REQUIRE(result_of(world.loop, kube::patch(world.server.client("auditor"), resource, kOne, kube::PatchType::kMerge,
                                            R"({"status":{"conditions":)" + conditions + "}}", "status")));
}

int owners_of_audited(const json::Document& object) {
  int owners = 0;
  for (auto entry : object.root().at({"metadata", "managedFields"}).items()) {
    auto conditions = entry.at({"fieldsV1", "f:status", "f:conditions"});
    if (conditions.find(R"(k:{"type":"Audited"})").has_value()) ++owners;
  }
  return owners;
}

bool is_as_it_was_set(const json::Document& object) {
  const auto set = json::Document::parse(kAudited);
  for (auto condition : object.root().at({"status", "conditions"}).items()) {
    if (condition.find("type").string() == "Audited") return json::equal(condition, set->root());
  }
  return false;
}

// kstatus reports Current for an object without an observedGeneration that is behind its generation.
TEST_CASE("observedGeneration of every kind defaults to -1, and no field manager owns it") {
  for (const auto& row : every_kind()) {
    const auto& resource = row.definition.resource();
    INFO(resource.kind);
    ClusterWithUser world(1, row.definition);
    world.create(resource, "default", object_of(resource, row.spec));

    const auto unseen = world.get(resource, kOne);
    CHECK(unseen.root().at({"status", "observedGeneration"}).integer() == -1);
    CHECK(unseen.root().at({"status", "conditions"}).is_absent());
    CHECK(unseen.root().at({"metadata", "managedFields"}).text().find("f:status") == std::string::npos);

    world.start_manager();
    world.pass(1min);

    const auto seen = world.get(resource, kOne);
    CHECK(seen.root().at({"status", "observedGeneration"}).integer() ==
          seen.root().at({"metadata", "generation"}).integer());
    CHECK(seen.root().at({"status", "conditions"}).size() > 0);
  }
}

TEST_CASE("a condition of another client is retained as it was set, and that client remains its only owner") {
  for (const auto& row : every_kind()) {
    const auto& resource = row.definition.resource();
    INFO(resource.kind);
    ClusterWithUser world(1, row.definition);
    world.start_manager();
    world.create(resource, "default", object_of(resource, row.spec));
    world.pass(1min);
    audit(world, resource);

    world.patch(resource, kOne, R"({"spec":)" + row.other_spec + "}");
    world.pass(1min);

    const auto after = world.get(resource, kOne);
    CHECK(after.root().at({"status", "observedGeneration"}).integer() ==
          after.root().at({"metadata", "generation"}).integer());
    CHECK(owners_of_audited(after) == 1);
    CHECK(is_as_it_was_set(after));
  }
}

}  // namespace
}  // namespace keelson::testing
