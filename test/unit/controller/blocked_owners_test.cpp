// Which events of an object that has a child's name end the wait of the child's owner.
#include "src/controller/blocked_owners.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using controller::BlockedOwners;
using Keys = std::vector<kube::Key>;

const kube::Key kOwner("default", "a");
const kube::Key kOther("default", "b");

BlockedOwners::Blocker deployment(const std::string& name) {
  return {kube::deployments().qualified_plural(), kube::Key("default", name)};
}

kube::Object deployment_with(const std::string& metadata) {
  return object(R"({"metadata":{"name":"web","namespace":"default","uid":"w")" + metadata + "}}");
}

kube::Object controlled_by(const std::string& uid, bool is_controller = true) {
  return deployment_with(R"(,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":")" + uid +
                         R"(","controller":)" + (is_controller ? "true" : "false") + "}]");
}

Keys unblocked_by_deletion(const BlockedOwners& blocked) {
  return blocked.unblocked_by(kube::deployments(), deleted(deployment_with("")));
}

}  // namespace

TEST_CASE("an owner is unblocked by the deletion of the object or another controller of it, by nothing else") {
  const auto free = deployment_with("");
  const auto deleting = deployment_with(R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")");
  const auto labelled = deployment_with(R"(,"labels":{"a":"b"})");
  struct Case {
    std::string name;
    cache::Event event;
    bool unblocks;
  };
  auto resync = updated(free, free);
  resync.resync = true;
  const std::vector<Case> cases{
      {"deleted", deleted(free), true},
      {"begins to be deleted", updated(free, deleting), true},
      {"still being deleted", updated(deleting, deleting), false},
      {"released", updated(controlled_by("x"), free), true},
      {"taken over", updated(free, controlled_by("x")), true},
      {"handed over", updated(controlled_by("x"), controlled_by("y")), true},
      {"an owner that is not its controller", updated(free, controlled_by("x", false)), false},
      {"other metadata", updated(free, labelled), false},
      {"added", added(free), false},
      {"resync", resync, false},
  };
  BlockedOwners blocked;
  blocked.add(kOwner, deployment("web"));
  for (const auto& [name, event, unblocks] : cases) {
    INFO(name);
    CHECK(blocked.unblocked_by(kube::deployments(), event) == (unblocks ? Keys{kOwner} : Keys()));
    CHECK(blocked.unblocked_by(kube::services(), event).empty());
  }
}

TEST_CASE("all owners that an object blocks are unblocked, and no others") {
  BlockedOwners blocked;
  blocked.add(kOwner, deployment("web"));
  blocked.add(kOther, deployment("web"));
  blocked.add(kube::Key("default", "c"), deployment("other"));

  CHECK(unblocked_by_deletion(blocked) == Keys{kOwner, kOther});
}

TEST_CASE("an owner is forgotten for the objects that no longer block it after a successful pass") {
  BlockedOwners blocked;
  blocked.add(kOwner, deployment("web"));
  blocked.add(kOwner, deployment("web"));
  blocked.add(kOwner, deployment("other"));
  blocked.add(kOther, deployment("web"));
  CHECK(blocked.size() == 3);

  blocked.settled(kOwner, {deployment("web")});
  CHECK(unblocked_by_deletion(blocked) == Keys{kOwner, kOther});
  CHECK(blocked.size() == 2);

  blocked.settled(kOwner, {});
  blocked.settled(kOwner, {});
  CHECK(unblocked_by_deletion(blocked) == Keys{kOther});
  blocked.settled(kOther, {});
  CHECK(unblocked_by_deletion(blocked).empty());
  CHECK(blocked.size() == 0);
}

TEST_CASE("a full map ignores further owners until others are settled") {
  BlockedOwners blocked;
  for (std::size_t i = 0; i < BlockedOwners::kMostPairs; ++i) {
    blocked.add(kube::Key("tenant", std::to_string(i)), deployment("of-tenant"));
  }

  blocked.add(kOwner, deployment("web"));
  CHECK(unblocked_by_deletion(blocked).empty());
  CHECK(blocked.size() == BlockedOwners::kMostPairs);

  blocked.settled(kube::Key("tenant", "7"), {});
  blocked.add(kOwner, deployment("web"));
  CHECK(unblocked_by_deletion(blocked) == Keys{kOwner});
}

TEST_CASE("an owner with too many pairs loses its oldest, and another owner none") {
  BlockedOwners blocked;
  blocked.add(kOther, deployment("web"));
  blocked.add(kOwner, deployment("first"));
  blocked.add(kOwner, deployment("web"));
  for (std::size_t i = 2; i < BlockedOwners::kMostPairsOfOwner; ++i) {
    blocked.add(kOwner, deployment(std::to_string(i)));
  }
  CHECK(blocked.size() == BlockedOwners::kMostPairsOfOwner + 1);

  blocked.add(kOwner, deployment("first"));
  CHECK(unblocked_by_deletion(blocked) == Keys{kOwner, kOther});

  blocked.add(kOwner, deployment("one more"));
  CHECK(unblocked_by_deletion(blocked) == Keys{kOther});
  CHECK(blocked.size() == BlockedOwners::kMostPairsOfOwner + 1);
}

TEST_CASE("nothing is stored of an owner that is gone") {
  BlockedOwners blocked;
  blocked.add(kOwner, deployment("web"));
  blocked.add(kOwner, deployment("other"));
  blocked.add(kOther, deployment("web"));

  blocked.forget(kOwner);
  CHECK(unblocked_by_deletion(blocked) == Keys{kOther});
  CHECK(blocked.size() == 1);
}
