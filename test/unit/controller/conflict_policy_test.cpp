// When updates of a child are held back because another writer changes it back.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "src/controller/conflict_policy.hpp"

namespace keelson::controller {
namespace {

using namespace std::chrono_literals;

constexpr const char* kWeb = "deployments.apps default/web";

ManagedField field(const std::string& name) {
  ManagedField made;
  made.prepend_member(name);
  return made;
}

struct Conflict {
  ConflictPolicy policy;
  async::TimePoint now{};
  bool succeeds = true;  // the updates that are sent

  // The child differs again after `time`, and the controller wants to update it.
  ConflictPolicy::Decision correct(async::Duration time = 1s, const std::string& hash = "h",
                                   const std::string& name = "image") {
    now += time;
    const auto decision = policy.before_update(kWeb, hash, field(name), now);
    if (!decision.wait && succeeds) policy.updated(kWeb);
    return decision;
  }
  // Four updates, after which the next one is held back.
  void begin() {
    for (int update = 0; update <= kCorrections; ++update) REQUIRE_FALSE(correct().wait);
    const auto decision = correct();
    REQUIRE(decision.wait);
    REQUIRE(decision.is_new);
  }
};

}  // namespace

TEST_CASE("an update that repeats the correction of one field is held back after three corrections") {
  Conflict conflict;

  for (int update = 0; update <= kCorrections; ++update) CHECK_FALSE(conflict.correct().wait);
  const auto held_back = conflict.correct(2s);

  CHECK(held_back.wait == async::Duration(kContestedInterval));
  CHECK(held_back.is_new);
  CHECK(conflict.policy.contested(conflict.now) == 1);
}

TEST_CASE("repeated corrections of one field are counted, also once per interval, and the first update is not") {
  Conflict conflict;
  CHECK_FALSE(conflict.correct().is_correction);
  // The side that wins: it corrects what the other manager, which has detected the conflict, writes once per interval.
  CHECK(conflict.correct(kContestedInterval).is_correction);
  CHECK(conflict.correct(kContestedInterval).is_correction);
  CHECK(conflict.correct(kContestedInterval).is_correction);
  CHECK(conflict.correct(kContestedInterval).is_new);
  const auto contested = conflict.correct(kContestedInterval);
  CHECK_FALSE(contested.wait);
  CHECK(contested.is_correction);

  CHECK_FALSE(conflict.correct(1s, "another desired state").is_correction);
  CHECK_FALSE(conflict.correct(1h, "another desired state").is_correction);
  CHECK_FALSE(conflict.correct(1h, "another desired state").is_correction);
}

TEST_CASE("corrections of two fields in turns are a conflict, too") {
  Conflict conflict;

  for (int update = 0; update < 8; ++update) {
    CHECK_FALSE(conflict.correct(1s, "h", update % 2 == 0 ? "image" : "replicas").wait);
  }
  CHECK(conflict.correct(1s, "h", "image").wait);
}

TEST_CASE("corrections of many different fields, or far apart, or of another desired state do not count") {
  Conflict conflict;
  for (int update = 0; update < 40; ++update) {
    CHECK_FALSE(conflict.correct(1s, "h", "field-" + std::to_string(update % 10)).wait);
  }
  for (int update = 0; update < 10; ++update) CHECK_FALSE(conflict.correct(kCorrectionGap).wait);
  for (int update = 0; update < 10; ++update) CHECK_FALSE(conflict.correct(1s, "h" + std::to_string(update)).wait);
  CHECK(conflict.policy.contested(conflict.now) == 0);
}

TEST_CASE("updates that fail are repeated without a limit, and do not count") {
  Conflict conflict;
  conflict.succeeds = false;
  for (int update = 0; update < 20; ++update) CHECK_FALSE(conflict.correct().wait);

  conflict.succeeds = true;
  for (int update = 0; update <= kCorrections; ++update) CHECK_FALSE(conflict.correct().wait);
  CHECK(conflict.correct().wait);
  conflict.succeeds = false;
  CHECK_FALSE(conflict.correct(kContestedInterval).wait);
  CHECK_FALSE(conflict.correct().wait);
}

TEST_CASE("a contested child is updated once per interval, and reported once") {
  Conflict conflict;
  conflict.begin();

  const auto soon = conflict.correct(10s);
  CHECK(soon.wait == async::Duration(kContestedInterval - 10s));
  CHECK_FALSE(soon.is_new);
  CHECK_FALSE(conflict.correct(*soon.wait).wait);
  CHECK(conflict.correct(1s).wait == async::Duration(kContestedInterval - 1s));
  CHECK_FALSE(conflict.correct(kContestedInterval).wait);
}

TEST_CASE("a new desired state ends the conflict") {
  Conflict conflict;
  conflict.begin();

  const auto other = conflict.correct(1s, "other");
  CHECK_FALSE(other.wait);
  CHECK(other.has_ended);
  CHECK(conflict.policy.contested(conflict.now) == 0);
  CHECK_FALSE(conflict.correct(1s, "other").wait);
}

TEST_CASE("the conflict is over when the child keeps the desired state for an interval") {
  Conflict conflict;
  conflict.begin();
  REQUIRE_FALSE(conflict.correct(kContestedInterval).wait);

  conflict.now += 30s;
  CHECK(conflict.policy.unchanged(kWeb, conflict.now).wait == async::Duration(kContestedInterval - 30s));
  CHECK(conflict.policy.contested(conflict.now) == 1);
  conflict.now += kContestedInterval - 30s;
  const auto ended = conflict.policy.unchanged(kWeb, conflict.now);
  CHECK_FALSE(ended.wait);
  CHECK(ended.has_ended);
  CHECK(conflict.policy.contested(conflict.now) == 0);
  CHECK_FALSE(conflict.correct().wait);
}

TEST_CASE("the report of a conflict is stored until the conflict is over") {
  Conflict conflict;
  conflict.begin();

  conflict.policy.report(kWeb, "two writers");
  CHECK(conflict.policy.report_of(kWeb) == "two writers");
  conflict.now += kContestedInterval;
  REQUIRE(conflict.policy.unchanged(kWeb, conflict.now).has_ended);
  CHECK(conflict.policy.report_of(kWeb).empty());
}

TEST_CASE("a child that is not contested or unknown needs no wait") {
  Conflict conflict;

  CHECK_FALSE(conflict.policy.unchanged(kWeb, conflict.now).wait);
  REQUIRE_FALSE(conflict.correct().wait);
  CHECK_FALSE(conflict.policy.unchanged(kWeb, conflict.now).wait);
}

TEST_CASE("a child that is forgotten begins without corrections, and the other ones are not affected") {
  Conflict conflict;
  conflict.begin();

  conflict.policy.forget("deployments.apps default/other");
  CHECK(conflict.policy.contested(conflict.now) == 1);
  conflict.policy.forget(kWeb);

  CHECK(conflict.policy.contested(conflict.now) == 0);
  CHECK_FALSE(conflict.correct().wait);
}

TEST_CASE("a contested child that no pass observes any more is not counted") {
  Conflict conflict;
  conflict.begin();

  conflict.now += 2 * kContestedInterval;
  CHECK(conflict.policy.contested(conflict.now) == 1);
  conflict.now += 1s;
  CHECK(conflict.policy.contested(conflict.now) == 0);
}

TEST_CASE("the number of remembered children is limited, and contested ones that are dropped are not counted") {
  Conflict conflict;
  conflict.begin();

  for (std::size_t child = 0; child < limits::kCorrectedChildren; ++child) {
    (void)conflict.policy.before_update("child-" + std::to_string(child), "h", field("image"), conflict.now);
  }

  CHECK(conflict.policy.contested(conflict.now) == 0);
  CHECK_FALSE(conflict.correct().wait);
}

}  // namespace keelson::controller
