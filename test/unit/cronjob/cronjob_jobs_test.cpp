// Reading Jobs, choosing old ones for deletion, and creating a Job.
#include "src/kinds/cronjob/cronjob_jobs.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "keelson/schema/time.hpp"
#include "test/support/parsed_object.hpp"

namespace keelson::kinds {
namespace {

using testing::parsed_object;

kube::Object job_with(const std::string& annotations, const std::string& status) {
  return parsed_object(
      R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"web-1","namespace":"default","uid":"u1",)"
      R"("annotations":{)" +
      annotations + R"(}},"status":)" + status + "}");
}

JobFacts look(const kube::Object& job) {
  auto facts = look_at_job(job);
  REQUIRE(facts.has_value());
  return std::move(*facts);
}

JobFacts finished(const std::string& name, JobFacts::End end, const std::string& start) {
  JobFacts facts;
  facts.reference.name = name;
  facts.end = end;
  if (!start.empty()) facts.start_time = *kube::parse_time(start);
  return facts;
}

std::string names(const std::vector<JobFacts>& jobs) {
  std::string text;
  for (const auto& job : jobs) text += job.reference.name + " ";
  return text;
}

TEST_CASE("C13: a Job is done when Complete or Failed is True, and active otherwise") {
  struct Row {
    const char* conditions;
    JobFacts::End end;
  };
  const Row rows[] = {
      {"[]", JobFacts::End::kNone},
      {R"([{"type":"Suspended","status":"True"}])", JobFacts::End::kNone},
      {R"([{"type":"SuccessCriteriaMet","status":"True"}])", JobFacts::End::kNone},
      {R"([{"type":"Complete","status":"False"}])", JobFacts::End::kNone},
      {R"([{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}])",
       JobFacts::End::kComplete},
      {R"([{"type":"Failed","status":"True"}])", JobFacts::End::kFailed},
  };
  for (const auto& row : rows) {
    INFO(row.conditions);
    CHECK(look(job_with("", std::string(R"({"conditions":)") + row.conditions + "}")).end == row.end);
  }
}

TEST_CASE("a failed Job has the reason and the message of its failure") {
  const auto failure = [](const std::string& more) {
    return look(job_with("", R"({"conditions":[{"type":"Failed","status":"True")" + more + "}]}")).failure;
  };
  CHECK(failure(R"(,"reason":"DeadlineExceeded","message":"Job was active too long")") ==
        "DeadlineExceeded: Job was active too long");
  CHECK(failure(R"(,"reason":"DeadlineExceeded")") == "DeadlineExceeded");
  CHECK(failure("").empty());
}

TEST_CASE("a Job that has begun lacks pods until one exists or has ended") {
  struct Row {
    const char* status;
    bool lacks_pods;
  };
  const Row rows[] = {
      {"{}", false},
      {R"({"startTime":"2026-01-01T00:00:00Z"})", true},
      {R"({"startTime":"2026-01-01T00:00:00Z","ready":0,"uncountedTerminatedPods":{}})", true},
      {R"({"startTime":"2026-01-01T00:00:00Z","active":1})", false},
      {R"({"startTime":"2026-01-01T00:00:00Z","failed":1})", false},
      {R"({"startTime":"2026-01-01T00:00:00Z","uncountedTerminatedPods":{"succeeded":["u"]}})", false},
      {R"({"startTime":"2026-01-01T00:00:00Z","uncountedTerminatedPods":{"failed":["u"]}})", false},
      {R"({"startTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Complete","status":"True"}]})", false},
  };
  for (const auto& row : rows) {
    INFO(row.status);
    CHECK(look(job_with("", row.status)).lacks_pods == row.lacks_pods);
  }
  // It needs none.
  CHECK_FALSE(look(parsed_object(R"({"kind":"Job","metadata":{"name":"a","namespace":"default","uid":"u"},)"
                                 R"("spec":{"parallelism":0},"status":{"startTime":"2026-01-01T00:00:00Z"}})"))
                  .lacks_pods);
}

TEST_CASE("a Job whose pods have never been ready lacks ready pods, if the server counts them") {
  struct Row {
    const char* status;
    bool lacks_ready_pods;
  };
  const Row rows[] = {
      {R"("active":1,"ready":0)", true},
      {R"("active":2,"ready":0,"uncountedTerminatedPods":{})", true},
      {R"("active":1,"ready":1)", false},
      {R"("active":1)", false},
      {R"("ready":0)", false},
      // Between two pods of a Job that retries.
      {R"("active":1,"ready":0,"failed":1)", false},
      {R"("active":1,"ready":0,"succeeded":1)", false},
      {R"("active":1,"ready":0,"uncountedTerminatedPods":{"failed":["u"]})", false},
      {R"("active":1,"ready":0,"conditions":[{"type":"Failed","status":"True"}])", false},
  };
  for (const auto& row : rows) {
    INFO(row.status);
    const auto status = std::string(R"({"startTime":"2026-01-01T00:00:00Z",)") + row.status + "}";
    CHECK(look(job_with("", status)).lacks_ready_pods == row.lacks_ready_pods);
  }
}

TEST_CASE(
    "C14: the slot is read from either annotation, the seed's first, and an invalid time is retained for its report") {
  const std::string seed = R"("batch.tutorial.kubebuilder.io/scheduled-at":"2026-01-01T12:00:00+01:00")";
  const std::string theirs = R"("batch.kubernetes.io/cronjob-scheduled-timestamp":"2026-01-01T10:00:00Z")";

  CHECK(kube::format_time(*look(job_with(seed + "," + theirs, "{}")).slot) == "2026-01-01T11:00:00Z");
  CHECK(kube::format_time(*look(job_with(theirs, "{}")).slot) == "2026-01-01T10:00:00Z");
  CHECK_FALSE(look(job_with("", "{}")).slot);
  auto broken = look(job_with(R"("batch.tutorial.kubebuilder.io/scheduled-at":"noon")", "{}"));
  CHECK_FALSE(broken.slot);
  CHECK(broken.unreadable_slot == "noon");
  for (const std::string text : {"9999999-01-01T00:00:00Z", "-2026-01-01T00:00:00Z", "2262-01-01T00:00:00Z", ""}) {
    auto absurd = look(job_with(R"("batch.tutorial.kubebuilder.io/scheduled-at":")" + text + "\"", "{}"));
    CHECK_FALSE(absurd.slot);
    CHECK(absurd.unreadable_slot == (text.empty() ? " " : text));
  }
  auto huge =
      look(job_with(R"("batch.tutorial.kubebuilder.io/scheduled-at":")" + std::string(100'000, 'x') + "\"", "{}"));
  CHECK(huge.unreadable_slot == std::string(64, 'x'));
}

TEST_CASE("the fields that are read from a Job are in the projection of its informer") {
  auto projection = job_projection();
  auto whole = job_with(
      R"("batch.tutorial.kubebuilder.io/scheduled-at":"2026-01-01T12:00:00Z","other":"x")",
      R"({"active":1,"terminating":1,"startTime":"2026-01-01T12:00:01Z","completionTime":"2026-01-01T12:00:09Z",)"
      R"("conditions":[{"type":"Complete","status":"True"}]})");
  std::string kept;
  REQUIRE(projection.apply(whole.json(), kept).has_value());
  auto projected = kube::Object::from_json(kept, &projection);
  REQUIRE(projected.has_value());

  auto facts = look(*projected);

  CHECK(kept.find("other") == std::string::npos);
  CHECK(kept.find("terminating") == std::string::npos);
  CHECK(facts.end == JobFacts::End::kComplete);
  CHECK(kube::format_time(*facts.slot) == "2026-01-01T12:00:00Z");
  CHECK(kube::format_time(*facts.start_time) == "2026-01-01T12:00:01Z");
  CHECK(kube::format_time(*facts.completion_time) == "2026-01-01T12:00:09Z");
}

TEST_CASE(
    "C6, C15, C34: the oldest Jobs beyond the limits are deleted, 3 and 1 by default, those without a start time "
    "first") {
  using End = JobFacts::End;
  std::vector<JobFacts> jobs = {
      finished("c3", End::kComplete, "2026-01-01T03:00:00Z"),  finished("c1", End::kComplete, "2026-01-01T01:00:00Z"),
      finished("c2", End::kComplete, "2026-01-01T02:00:00Z"),  finished("c0", End::kComplete, ""),
      finished("f2", End::kFailed, "2026-01-01T02:00:00Z"),    finished("f1", End::kFailed, "2026-01-01T02:00:00Z"),
      finished("running", End::kNone, "2026-01-01T00:00:00Z"),
  };
  CronJobSpec spec;

  CHECK(names(beyond_history(spec, jobs)) == "f1 c0 ");
  spec.successful_jobs_history_limit = 1;
  spec.failed_jobs_history_limit = 0;
  CHECK(names(beyond_history(spec, jobs)) == "f1 f2 c0 c1 c2 ");
  jobs[0].deleting = true;  // is neither counted nor chosen
  CHECK(names(beyond_history(spec, jobs)) == "f1 f2 c0 c1 ");
}

TEST_CASE("a Job's failure time, and by default its completion time, is the transition time of its condition") {
  auto ended = [](const std::string& type) {
    return look(job_with("", R"({"conditions":[{"type":")" + type +
                                 R"(","status":"True","lastTransitionTime":"2026-01-01T12:00:09Z"}]})"));
  };

  CHECK(ended("Failed").failure_time == *kube::parse_time("2026-01-01T12:00:09Z"));
  CHECK_FALSE(ended("Failed").completion_time);
  CHECK(ended("Complete").completion_time == *kube::parse_time("2026-01-01T12:00:09Z"));
  CHECK_FALSE(ended("Complete").failure_time);
  CHECK_FALSE(look(job_with("", R"({"conditions":[{"type":"Failed","status":"True"}]})")).failure_time);
}

TEST_CASE(
    "C5, C8 to C10: a Job is named after its slot and has the annotations of the slot and the template's labels and "
    "annotations") {
  auto cronjob = parsed_object(R"({"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob",)"
                               R"("metadata":{"name":"web","namespace":"default","uid":"u9"}})");
  CronJobSpec spec;
  spec.job_template.text =
      R"({"metadata":{"labels":{"a":"b"},"annotations":{"c":"d","batch.tutorial.kubebuilder.io/scheduled-at":"forged"},)"
      R"("name":"ignored"},"spec":{"new-field":[1,2],"template":{"spec":{"containers":[]}}}})";
  Slot slot(std::chrono::seconds(1767261600));

  auto body = job_body(cronjob, spec, slot, *cron::Zone::find("Europe/Berlin"));

  REQUIRE(body.has_value());
  auto document = json::Document::parse(*body);
  auto metadata = document->root().find("metadata");
  CHECK(metadata.find("name").string() == "web-1767261600");
  CHECK(metadata.find("namespace").string() == "default");
  CHECK(metadata.at({"labels", "a"}).string() == "b");
  CHECK(metadata.at({"annotations", "c"}).string() == "d");
  CHECK(metadata.at({"annotations", kScheduledAt}).string() == "2026-01-01T11:00:00+01:00");
  CHECK(metadata.at({"annotations", kScheduledTimestamp}).string() == "2026-01-01T11:00:00+01:00");
  CHECK(metadata.find("annotations").size() == 3);
  auto owner = metadata.find("ownerReferences").item(0);
  CHECK(owner.find("uid").string() == "u9");
  CHECK(owner.find("controller").boolean() == true);
  CHECK(owner.find("blockOwnerDeletion").boolean() == true);
  CHECK(document->root().find("spec").text() == R"({"new-field":[1,2],"template":{"spec":{"containers":[]}}})");
}

}  // namespace
}  // namespace keelson::kinds
