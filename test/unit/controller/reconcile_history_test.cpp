#include "src/controller/reconcile_history.hpp"

#include <malloc.h>
#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/detail/controller/limits.hpp"

namespace keelson::controller {

namespace {

using namespace std::chrono_literals;

kube::Key key_of(std::size_t number) { return {"default", "memcached-sample-" + std::to_string(number)}; }

ReconcileRecord record_at(int second) {
  ReconcileRecord record;
  record.began = async::WallTime(std::chrono::seconds(second));
  return record;
}

// The seconds of the records, the newest first.
std::vector<int> seconds(const ReconcileHistory& history, const kube::Key& key) {
  std::vector<int> all;
  for (const auto& record : history.records(0, key)) {
    all.push_back(static_cast<int>(record.began.time_since_epoch() / 1s));
  }
  return all;
}

// The reconciles of a Memcached from its creation on, as the manager records them.
void reconcile_typically(ReconcileHistory& history, const kube::Key& key) {
  auto& texts = history.texts;
  const RecordedName self{RecordedName::Form::kSelf, ""};
  auto record = record_at(1'790'000'000);
  record.reasons = {{texts.id_of("Memcached added"), self}};
  record.reads = {{texts.id_of("Deployment"), 1, 0}, {texts.id_of("Service"), 1, 0}, {texts.id_of("Pod"), 1, 0}};
  const auto write = [&](const char* kind, std::vector<std::string> fields) {
    RecordedWrite made{kube::Verb::kPatch, RecordedWrite::Effect::kChanged, texts.id_of(kind), self, {}};
    for (const auto& field : fields) made.fields.push_back(texts.id_of(field));
    record.writes.push_back(made);
  };
  write("Deployment", {});
  write("Service", {});
  write("Memcached/status", {"status.conditions", "status.observedGeneration"});
  history.add(0, key, record);
  record.writes.clear();
  record.reasons = {{texts.id_of("Pod added"), {RecordedName::Form::kSuffix, "-5d4f7c9b8-x2x4z"}},
                    {texts.id_of("Deployment updated"), self}};
  write("Memcached/status", {"status.nodes", "status.readyReplicas", "status.conditions[Ready]"});
  history.add(0, key, record);
  history.add(0, key, record);
  record.writes.clear();
  record.reasons = {{texts.id_of("Memcached resync"), self}};
  history.add(0, key, record);
  record.result = ReconcileResult::kError;
  record.error = history.errors.add("apply deployments.apps " + key.text() + ": connection refused", key);
  history.add(0, key, record);
}

std::size_t allocated() { return ::mallinfo2().uordblks; }

}  // namespace

TEST_CASE("the last reconciles of an object are stored, the newest first") {
  ReconcileHistory history(10);
  for (int second = 1; second <= 20; ++second) history.add(0, key_of(1), record_at(second));

  const auto found = seconds(history, key_of(1));

  REQUIRE(found.size() >= 4);
  CHECK(found.size() <= limits::kReconcilesPerObject);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == 20 - static_cast<int>(i));
}

TEST_CASE("objects of two controllers with the same key have separate histories") {
  ReconcileHistory history(10);
  history.add(0, key_of(1), record_at(1));
  history.add(1, key_of(1), record_at(2));

  CHECK(history.size() == 2);
  CHECK(seconds(history, key_of(1)) == std::vector<int>{1});
}

TEST_CASE("the least recently reconciled object makes room for a new one") {
  ReconcileHistory history(3);
  for (std::size_t i = 1; i <= 3; ++i) history.add(0, key_of(i), record_at(1));
  history.add(0, key_of(1), record_at(2));

  history.add(0, key_of(4), record_at(3));

  CHECK(history.size() == 3);
  CHECK(seconds(history, key_of(1)) == std::vector<int>{2, 1});
  CHECK(seconds(history, key_of(2)).empty());
  CHECK(seconds(history, key_of(3)) == std::vector<int>{1});
  CHECK(seconds(history, key_of(4)) == std::vector<int>{3});
}

TEST_CASE("every object is found again after many were added and removed") {
  constexpr std::size_t kLimit = 1000;
  ReconcileHistory history(kLimit);
  for (std::size_t i = 0; i < 5 * kLimit; ++i) history.add(0, key_of(i), record_at(static_cast<int>(i)));

  for (std::size_t i = 0; i < 4 * kLimit; ++i) CHECK(history.records(0, key_of(i)).empty());
  for (std::size_t i = 4 * kLimit; i < 5 * kLimit; ++i) {
    CHECK(seconds(history, key_of(i)) == std::vector<int>{static_cast<int>(i)});
  }
}

TEST_CASE("reasons of a queued object are taken by its next reconcile, and its records remain") {
  ReconcileHistory history(10);
  history.add(0, key_of(1), record_at(1));
  const RecordedReason reason{history.texts.id_of("Pod updated"), {RecordedName::Form::kSuffix, "-0"}};
  history.add_reason(0, key_of(1), reason);
  history.add_reason(0, key_of(1), reason);
  CHECK(history.reasons(0, key_of(1)).size() == 1);

  const auto taken = history.take_reasons(0, key_of(1));

  REQUIRE(taken.size() == 1);
  CHECK(taken[0].object == reason.object);
  CHECK(history.take_reasons(0, key_of(1)).empty());
  CHECK(seconds(history, key_of(1)) == std::vector<int>{1});
}

TEST_CASE("the reasons of an object are limited") {
  ReconcileHistory history(10);
  for (int i = 0; i < 20; ++i) {
    history.add_reason(0, key_of(1), {1, {RecordedName::Form::kSuffix, "-" + std::to_string(i)}});
  }

  CHECK(history.reasons(0, key_of(1)).size() == limits::kRecordedReasons);
}

TEST_CASE("the reasons of a queued object displace no record") {
  ReconcileHistory history(1);
  const kube::Key key("default", std::string(56, 'x'));
  REQUIRE(key.text().size() == 64);
  auto record = record_at(1);
  for (std::size_t i = 0; i < limits::kRecordedWrites; ++i) {
    record.writes.push_back({kube::Verb::kPatch,
                             RecordedWrite::Effect::kChanged,
                             1,
                             {RecordedName::Form::kSuffix, "-" + std::to_string(i)},
                             {1, 2, 3, 4, 5, 6}});
  }
  history.add(0, key, record);

  for (int i = 0; i < 4; ++i) {
    history.add_reason(0, key, {1, {RecordedName::Form::kSuffix, "-" + std::to_string(i)}});
  }

  const auto records = history.records(0, key);
  REQUIRE(records.size() == 1);
  CHECK(records[0].writes.size() == limits::kRecordedWrites);
  CHECK(history.reasons(0, key).size() == limits::kRecordedReasons);
}

TEST_CASE("an event of an object without a record removes no other one") {
  ReconcileHistory history(1);
  history.add(0, key_of(1), record_at(1));

  history.add_reason(0, key_of(2), {1, {}});

  CHECK(seconds(history, key_of(1)) == std::vector<int>{1});
  CHECK(history.reasons(0, key_of(2)).empty());
}

TEST_CASE("the longest key has a history") {
  ReconcileHistory history(2);
  const kube::Key longest(std::string(63, 'n'), std::string(253, 'x'));
  history.add(0, longest, record_at(1));
  history.add(0, longest, record_at(2));

  CHECK(seconds(history, longest) == std::vector<int>{2, 1});
  const auto with_key = history.bytes();
  history.add(0, key_of(1), record_at(3));
  history.add(0, key_of(2), record_at(3));
  CHECK(history.records(0, longest).empty());
  CHECK(history.bytes() < with_key);
}

TEST_CASE("objects are listed in portions, each once") {
  ReconcileHistory history(1000);
  for (std::size_t i = 0; i < 250; ++i) history.add(0, key_of(i), record_at(1));
  std::set<std::string> listed;
  std::optional<ReconcileHistory::Place> from(std::in_place);
  int portions = 0;

  while (from) {
    from = history.list(*from, 100,
                        [&](auto, std::string_view key, std::string_view) { return listed.emplace(key).second; });
    ++portions;
  }

  CHECK(listed.size() == 250);
  CHECK(portions == 3);
}

TEST_CASE("a list continues although its next object has been removed") {
  ReconcileHistory history(3);
  for (std::size_t i = 1; i <= 3; ++i) history.add(0, key_of(i), record_at(1));
  std::vector<std::string> listed;
  const auto visit = [&](auto, std::string_view key, std::string_view) {
    listed.emplace_back(key);
    return true;
  };
  const auto next = history.list({}, 1, visit);
  REQUIRE(next);
  CHECK(next->key == key_of(2).text());
  history.add(0, key_of(1), record_at(2));
  history.add(0, key_of(4), record_at(2));
  REQUIRE(history.records(0, key_of(2)).empty());

  CHECK_FALSE(history.list(*next, 10, visit));
  CHECK(listed == std::vector{key_of(1).text(), key_of(3).text(), key_of(4).text()});
}

TEST_CASE("an object takes at most 600 bytes, also by the count of the allocator") {
  constexpr std::size_t kObjects = 10'000;
  const auto before = allocated();
  ReconcileHistory history(kObjects);
  for (std::size_t i = 0; i < kObjects; ++i) {
    reconcile_typically(history, key_of(i));
    history.add_reason(0, key_of(i), {1, {RecordedName::Form::kSelf, ""}});
  }
  const auto after = allocated();

  const auto per_object = history.bytes() / kObjects;
  const auto allocated_per_object = (after - before) / kObjects;
  INFO(per_object << " bytes counted, " << allocated_per_object << " allocated");
  CHECK(per_object <= 600);
  CHECK(allocated_per_object <= 600);
  // All of them, from the creation on.
  const auto records = history.records(0, key_of(1));
  REQUIRE(records.size() == 5);
  CHECK(records.back().writes.size() == 3);
}

TEST_CASE("the history does not grow once it is full") {
  constexpr std::size_t kObjects = 500;
  ReconcileHistory history(kObjects);
  for (std::size_t i = 0; i < kObjects; ++i) reconcile_typically(history, key_of(i));
  const auto full = history.bytes();

  for (std::size_t i = 0; i < 10 * kObjects; ++i) reconcile_typically(history, key_of(i));

  CHECK(history.size() == kObjects);
  CHECK(history.bytes() == full);
}

TEST_CASE("the reconciles of deleted objects make room first, and are counted") {
  ReconcileHistory history(4);
  auto gone = record_at(9);
  gone.result = ReconcileResult::kGone;
  for (std::size_t object = 0; object < 4; ++object) history.add(0, key_of(object), record_at(1));
  history.add(0, key_of(3), gone);
  history.add(0, key_of(2), gone);
  CHECK(history.gone() == 2);

  history.add(0, key_of(10), record_at(10));
  CHECK(history.gone() == 1);
  CHECK(history.records(0, key_of(3)).empty());
  history.add(0, key_of(11), record_at(11));
  CHECK(history.gone() == 0);
  CHECK(history.records(0, key_of(2)).empty());
  // The objects that exist are still there, although they were reconciled before the deleted ones.
  CHECK(seconds(history, key_of(0)) == std::vector{1});
  CHECK(seconds(history, key_of(1)) == std::vector{1});

  history.add(0, key_of(12), record_at(12));
  CHECK(history.records(0, key_of(0)).empty());
}

TEST_CASE("an object that is created again is no longer counted as deleted") {
  ReconcileHistory history(2);
  auto gone = record_at(1);
  gone.result = ReconcileResult::kGone;
  history.add(0, key_of(1), gone);
  CHECK(history.gone() == 1);

  history.add_reason(0, key_of(1), {history.texts.id_of("Memcached added"), {}});
  history.add(0, key_of(1), record_at(2));

  CHECK(history.gone() == 0);
  CHECK(seconds(history, key_of(1)) == std::vector{2, 1});
}

}  // namespace keelson::controller
