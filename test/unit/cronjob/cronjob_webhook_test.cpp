// The webhooks of CronJob: defaults, and errors with the texts of Kubernetes.
#include "src/kinds/cronjob/cronjob_webhook.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "keelson/detail/json/path_scan.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::kinds {
namespace {

CronJobSpec spec_of(const std::string& schedule) {
  CronJobSpec spec;
  spec.schedule = schedule;
  return spec;
}

std::string rejections(const std::string& name, const CronJobSpec& spec,
                       const std::optional<CronJobSpec>& old_spec = {}) {
  const auto json = R"({"jobTemplate":)" + (spec.job_template.text.empty() ? "{}" : spec.job_template.text) + "}";
  json::PathScan scan(json, template_paths());
  REQUIRE(scan.advance(json.size() + 1).has_value());
  const auto parts = template_parts({scan.value(0), scan.value(1), scan.value(2), scan.value(3)});
  std::string text;
  for (const auto& error : validate_cronjob(name, spec, old_spec, parts)) text += error.message() + "\n";
  return text;
}

TEST_CASE("C3 to C6, C23, C34: absent fields get their defaults, and present fields are unchanged") {
  CronJobSpec spec;
  default_cronjob(spec);
  CHECK(spec.concurrency_policy == "Allow");
  CHECK(spec.suspend == false);
  CHECK(spec.successful_jobs_history_limit == 3);
  CHECK(spec.failed_jobs_history_limit == 1);
  CHECK_FALSE(spec.starting_deadline_seconds);
  CHECK_FALSE(spec.time_zone);

  CronJobSpec given;
  given.concurrency_policy = "Forbid";
  given.suspend = true;
  given.successful_jobs_history_limit = 0;
  given.failed_jobs_history_limit = 0;
  auto before = given;
  default_cronjob(given);
  CHECK(given == before);
}

TEST_CASE("C1, C24 to C26, C42: invalid names and schedules are rejected, names first") {
  const std::string longest(52, 'a');

  CHECK(rejections(longest, spec_of("*/5 * * * *")).empty());
  CHECK(rejections(longest + "a", spec_of("x")) ==
        "metadata.name: Invalid value: \"" + longest +
            "a\": must be no more than 52 characters\n"
            "spec.schedule: Invalid value: \"x\": Expected exactly 5 fields, found 1: x\n");
  CHECK(rejections("web", spec_of("invalid-cron-schedule")) ==
        "spec.schedule: Invalid value: \"invalid-cron-schedule\": Expected exactly 5 fields, found 1: "
        "invalid-cron-schedule\n");
  CHECK(rejections("web", spec_of("a: [b")) ==
        "spec.schedule: Invalid value: \"a: [b\": Expected exactly 5 fields, found 2: a: [b\n");
  CHECK(rejections("web", spec_of("")) == "spec.schedule: Invalid value: \"\": Empty spec string\n");
  CHECK(rejections("web", spec_of("60 * * * *")) ==
        "spec.schedule: Invalid value: \"60 * * * *\": End of range (60) above maximum (59): 60\n");
}

TEST_CASE("K7: a zone in the schedule is rejected, unless the old object has one") {
  auto zoned = spec_of("TZ=UTC 0 0 * * *");
  auto both = zoned;
  both.time_zone = "Europe/Berlin";

  CHECK(rejections("web", zoned) ==
        "spec.schedule: Invalid value: \"TZ=UTC 0 0 * * *\": cannot use TZ or CRON_TZ in schedule, use timeZone field "
        "instead\n");
  CHECK(rejections("web", zoned, spec_of("0 0 * * *")) == rejections("web", zoned));
  CHECK(rejections("web", zoned, zoned).empty());
  CHECK(rejections("web", both, zoned) ==
        "spec.schedule: Invalid value: \"TZ=UTC 0 0 * * *\": cannot use both timeZone field and TZ or CRON_TZ in "
        "schedule\n");
}

TEST_CASE("K13: an unknown time zone is rejected, unless the old object has it") {
  auto spec = spec_of("0 0 * * *");
  spec.time_zone = "Europe/Berlin";
  CHECK(rejections("web", spec).empty());

  spec.time_zone = "Mars/Base";
  CHECK(rejections("web", spec) == "spec.timeZone: Invalid value: \"Mars/Base\": unknown time zone Mars/Base\n");
  CHECK(rejections("web", spec, spec).empty());
  spec.time_zone = "Local";
  CHECK_FALSE(rejections("web", spec).empty());
}

TEST_CASE("K13: a template that is invalid for a Job is rejected with the text of Kubernetes") {
  auto spec = spec_of("0 0 * * *");
  spec.job_template.text =
      R"({"spec":{"manualSelector":true,"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"containers":[]}}}})";

  CHECK(rejections("web", spec) ==
        "spec.jobTemplate.spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\"}}: `selector` will be "
        "auto-generated\n"
        "spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: \"nil\", \"false\"\n"
        "spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"\n");
  spec.job_template.text = R"({"spec":{"template":{"spec":{"restartPolicy":"Sometimes"}}}})";
  CHECK(rejections("web", spec) ==
        "spec.jobTemplate.spec.template.spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: "
        "\"OnFailure\", \"Never\"\n");
  spec.job_template.text = R"({"spec":{"template":{"spec":{"restartPolicy":"Never"}}}})";
  CHECK(rejections("web", spec).empty());
}

TEST_CASE("a long restartPolicy with an escape at any position is rejected with its value") {
  for (const std::string escape : {R"(\ud83d\ude00)", R"(\\)", R"(\")", R"(\u0041)"}) {
    for (std::size_t before = 16'384 - 13; before <= 16'384; ++before) {
      auto spec = spec_of("0 0 * * *");
      spec.job_template.text =
          R"({"spec":{"template":{"spec":{"restartPolicy":")" + std::string(before, 'a') + escape + R"("}}}})";

      const auto text = rejections("web", spec);

      INFO(escape << " after " << before);
      CHECK(text.starts_with("spec.jobTemplate.spec.template.spec.restartPolicy: Unsupported value: \"aaa"));
    }
  }
}

class NoLines final : public LogSink {
 public:
  bool enabled(Level, int) const override { return false; }
  void write(const Line&) override {}
};

TEST_CASE("an update of a CronJob that is being deleted is always allowed, so that its finalizers can be removed") {
  using webhook::Operation;
  struct Row {
    Operation operation;
    const char* object;
    bool is_allowed;
  };
  constexpr const char* kStays = R"({"metadata":{"name":"web"}})";
  constexpr const char* kGoes = R"({"metadata":{"name":"web","deletionTimestamp":"2026-01-01T00:00:00Z"}})";
  const Row rows[] = {{Operation::kUpdate, kGoes, true},
                      {Operation::kUpdate, kStays, false},
                      {Operation::kCreate, kGoes, false},
                      {Operation::kCreate, kStays, false},
                      {Operation::kDelete, kStays, true}};
  for (const auto& row : rows) {
    NoLines nothing;
    webhook::Request request{Logger(nothing)};
    request.operation = row.operation;
    request.key = kube::Key("default", "web");
    sandbox::loop::TestLoop loop;
    auto object = webhook::ReviewedObject::of(loop.clock(), row.object);
    REQUIRE(object);
    request.object = *object;
    webhook::Submission<CronJobSpec> submission{request, spec_of("never"), std::nullopt};
    auto validator = make_cronjob_validator();
    std::optional<webhook::Decision> decision;
    auto whole = [&]() -> boost::asio::awaitable<void> {
      auto decided = co_await validator->validate(submission);
      decision = std::move(decided);
    };
    loop.run(sandbox::loop::TestLoop::Body(whole));

    INFO(webhook::name_of(row.operation) << " " << row.object);
    REQUIRE(decision);
    CHECK(decision->is_allowed() == row.is_allowed);
  }
}

TEST_CASE("texts of megabytes are rejected without being parsed, and quoted in part") {
  const std::string longest(7'000'000, '*');
  auto spec = spec_of(longest);
  spec.time_zone = longest;
  spec.job_template.text =
      R"({"spec":{"selector":")" + longest + R"(","template":{"spec":{"restartPolicy":")" + longest + R"("}}}})";

  const auto text = rejections(longest, spec);

  CHECK(text.size() < 10'000);
  CHECK(text.find("spec.schedule: Invalid value: \"" + std::string(1024, '*') +
                  "...\": The expression is too long: it has 7000000 bytes, the limit is 1024\n") != std::string::npos);
}

}  // namespace
}  // namespace keelson::kinds
