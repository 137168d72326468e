#include "src/controller/reconcile_record.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/controller/limits.hpp"

namespace keelson::controller {

namespace {

using namespace std::chrono_literals;

const kube::Key kWeb("default", "web");

ReconcileRecord typical() {
  ReconcileRecord record;
  record.began = async::WallTime(std::chrono::seconds(1'790'000'000));
  record.waited = 1ms;
  record.lasted = 12'345us;
  record.after = 90s;
  record.result = ReconcileResult::kRequeue;
  record.retries = 3;
  record.reasons = {{7, {RecordedName::Form::kSelf, ""}}, {300, {RecordedName::Form::kSuffix, "-5d4f"}}};
  record.writes = {{kube::Verb::kPatch, RecordedWrite::Effect::kChanged, 2, {RecordedName::Form::kSelf, ""}, {9, 400}},
                   {kube::Verb::kDelete, RecordedWrite::Effect::kRejected, 3, {RecordedName::Form::kOther, "a/b"}, {}}};
  record.reads = {{2, 4, 0}, {3, 255, 1}};
  return record;
}

}  // namespace

TEST_CASE("a record is read as it was written") {
  auto record = typical();
  record.error = 123'456;

  const auto read = unpack(pack(record, 200));

  CHECK(read.began == record.began);
  CHECK(read.waited == 1ms);
  CHECK(std::chrono::round<std::chrono::seconds>(read.after) == 90s);
  CHECK(read.result == ReconcileResult::kRequeue);
  CHECK(read.retries == 3);
  CHECK(read.error == 123'456);
  CHECK(read.is_complete);
  REQUIRE(read.reasons.size() == 2);
  CHECK(read.reasons[1].reason == 300);
  CHECK(read.reasons[1].object.text_for(kWeb) == "default/web-5d4f");
  REQUIRE(read.writes.size() == 2);
  CHECK(read.writes[0].fields == std::vector<TextTable::Id>{9, 400});
  CHECK(read.writes[1].verb == kube::Verb::kDelete);
  CHECK(read.writes[1].effect == RecordedWrite::Effect::kRejected);
  CHECK(read.writes[1].object.text_for(kWeb) == "a/b");
  REQUIRE(read.reads.size() == 2);
  CHECK(read.reads[1].cached == 255);
  CHECK(read.reads[1].consistent == 1);
}

TEST_CASE("durations are recorded in microseconds, whatever their length") {
  for (const async::Duration duration : {async::Duration(0), async::Duration(1us), async::Duration(2047us),
                                         async::Duration(12'345us), async::Duration(17min), async::Duration(9000h)}) {
    ReconcileRecord record;
    record.lasted = duration;
    CHECK(unpack(pack(record, 100)).lasted == duration);
  }
}

TEST_CASE("what does not fit into the bytes of a record is dropped, and the record says so") {
  auto record = typical();
  record.writes.assign(limits::kRecordedWrites, record.writes[1]);
  for (std::size_t limit = kLeastRecordBytes; limit < 100; ++limit) {
    const auto bytes = pack(record, limit);
    INFO(limit);
    CHECK(bytes.size() <= limit);
    const auto read = unpack(bytes);
    CHECK(read.began == record.began);
    const bool has_all = read.writes.size() == record.writes.size() && read.reads.size() == record.reads.size() &&
                         read.reasons.size() == record.reasons.size();
    CHECK(read.is_complete == has_all);
  }
}

TEST_CASE("the name of an object is recorded by what it adds to that of the reconciled object") {
  const auto form_of = [](const char* ns, const char* name) { return RecordedName::of(kube::Key(ns, name), kWeb); };

  CHECK(form_of("default", "web") == RecordedName{RecordedName::Form::kSelf, ""});
  CHECK(form_of("default", "web-0") == RecordedName{RecordedName::Form::kSuffix, "-0"});
  CHECK(form_of("other", "web-0") == RecordedName{RecordedName::Form::kOther, "other/web-0"});
  CHECK(form_of("", "node") == RecordedName{RecordedName::Form::kOther, "node"});
  const auto longest = form_of("other", std::string(253, 'x').c_str());
  CHECK(longest.text.size() <= RecordedName::kBytes);
  CHECK(longest.text.ends_with("…"));
  CHECK(RecordedName().text_for(kWeb).empty());
}

}  // namespace keelson::controller
