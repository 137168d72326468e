#include "src/kinds/cronjob/cronjob_webhook.hpp"

#include "keelson/cron/schedule.hpp"
#include "keelson/detail/json/reader.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace keelson::kinds {
namespace asio = boost::asio;

namespace {

// Converts an error text of robfig/cron v3 to that of v1, which the original webhook uses: it begins with a capital
// letter and quotes the expression instead of the list of its fields.
std::string in_words_of_v1(std::string text, const std::string& schedule) {
  if (text.starts_with("expected exactly")) {
    if (auto list = text.find(": ["); list != std::string::npos) text = text.substr(0, list) + ": " + schedule;
  }
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void validate_schedule(const CronJobSpec& spec, const std::optional<CronJobSpec>& old_spec,
                       std::vector<kube::FieldError>& errors) {
  constexpr std::string_view kPath = "spec.schedule";
  auto schedule = cron::Schedule::parse(spec.schedule);
  if (!schedule) {
    errors.push_back(
        webhook::invalid_value(kPath, spec.schedule, in_words_of_v1(schedule.error().text, spec.schedule)));
  }
  auto has_zone = [](const CronJobSpec& other) { return other.schedule.find("TZ") != std::string::npos; };
  if (!has_zone(spec)) return;
  if (!old_spec || !has_zone(*old_spec)) {
    errors.push_back(webhook::invalid_value(kPath, spec.schedule,
                                            "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  } else if (spec.time_zone) {
    errors.push_back(
        webhook::invalid_value(kPath, spec.schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
  }
}

void validate_time_zone(const CronJobSpec& spec, const std::optional<CronJobSpec>& old_spec,
                        std::vector<kube::FieldError>& errors) {
  // An unchanged zone is not validated, because it may have been removed from the time zone data since.
  if (!spec.time_zone || (old_spec && old_spec->time_zone == spec.time_zone)) return;
  for (const auto& rejection : cron::time_zone_rejections(*spec.time_zone)) {
    errors.push_back(webhook::invalid_value("spec.timeZone", *spec.time_zone, rejection));
  }
}

// The string of a JSON value; empty if it is not a string.
std::optional<std::string> string_of(std::string_view json) {
  if (!json.starts_with('"')) return std::nullopt;
  // A longer string is not a policy, and is quoted only in part.
  constexpr std::size_t kReadBytes = 16 * kube::kQuotedBytes;
  auto body = json.substr(1, json.size() - 2);
  std::string text;
  json::decode_some(body, kReadBytes, text);
  return text;
}

void validate_template(const TemplateParts& parts, std::vector<kube::FieldError>& errors) {
  const std::string path = "spec.jobTemplate.spec";
  const auto is_set = [](std::string_view json) { return !json.empty() && json != "null"; };
  // Values that are not strings are reported as JSON, without quotes around them.
  if (is_set(parts.selector)) {
    errors.push_back({kube::FieldReason::kInvalid, path + ".selector", kube::short_text(parts.selector),
                      "`selector` will be auto-generated"});
  }
  if (parts.manual_selector == "true") {
    errors.push_back({kube::FieldReason::kNotSupported, path + ".manualSelector", "true", R"("nil", "false")"});
  }
  if (!is_set(parts.pod)) return;
  const std::string policy_path = path + ".template.spec.restartPolicy";
  // If it is absent, a Pod's default, Always, applies, which a Job cannot have.
  const auto policy = string_of(parts.restart_policy).value_or("Always");
  if (policy == "Always") {
    errors.push_back(webhook::required_value(policy_path, "valid values: \"OnFailure\", \"Never\""));
  } else if (policy != "OnFailure" && policy != "Never") {
    errors.push_back(webhook::unsupported_value(policy_path, policy, {"OnFailure", "Never"}));
  }
}

class CronJobDefaulter final : public webhook::Defaulter<CronJobSpec> {
 public:
  Task<void> set_defaults(CronJobSpec& spec, const webhook::Request& request) override {
    request.log.debug("Defaulting for CronJob");
    default_cronjob(spec);
    co_return Result<void>();
  }
};

class CronJobValidator final : public webhook::Validator<CronJobSpec> {
 public:
  asio::awaitable<webhook::Decision> validate(const webhook::Submission<CronJobSpec>& submission) override {
    const auto& request = submission.request;
    if (request.operation == webhook::Operation::kDelete) {
      request.log.debug("Validation for CronJob upon deletion");
      co_return webhook::Decision::allow();
    }
    bool is_update = request.operation == webhook::Operation::kUpdate;
    request.log.debug(is_update ? "Validation for CronJob upon update" : "Validation for CronJob upon creation");
    // An object that is being deleted is not validated, because its finalizers must be removable.
    if (is_update && request.object.deleting()) co_return webhook::Decision::allow();
    auto found = co_await request.object.find_in(request.object.spec(), template_paths());
    if (!found) co_return webhook::Decision::fail(400, found.error().message());
    const auto parts = template_parts(*found);
    co_return webhook::Decision::judge(validate_cronjob(request.key.name, submission.spec, submission.old_spec, parts));
  }
};

}  // namespace

void default_cronjob(CronJobSpec& spec) {
  if (!spec.concurrency_policy || spec.concurrency_policy->empty()) spec.concurrency_policy = kAllow;
  if (!spec.suspend) spec.suspend = false;
  if (!spec.successful_jobs_history_limit) spec.successful_jobs_history_limit = kSuccessfulJobsHistoryLimit;
  if (!spec.failed_jobs_history_limit) spec.failed_jobs_history_limit = kFailedJobsHistoryLimit;
}

std::vector<std::vector<std::string>> template_paths() {
  return {{"jobTemplate", "spec", "selector"},
          {"jobTemplate", "spec", "manualSelector"},
          {"jobTemplate", "spec", "template", "spec"},
          {"jobTemplate", "spec", "template", "spec", "restartPolicy"}};
}

TemplateParts template_parts(const std::vector<std::string_view>& values) {
  return {values[0], values[1], values[2], values[3]};
}

std::vector<kube::FieldError> validate_cronjob(std::string_view name, const CronJobSpec& spec,
                                               const std::optional<CronJobSpec>& old_spec, const TemplateParts& parts) {
  std::vector<kube::FieldError> errors;
  if (name.size() > kCronJobNameBytes) {
    errors.push_back(webhook::invalid_value(
        "metadata.name", name, "must be no more than " + std::to_string(kCronJobNameBytes) + " characters"));
  }
  validate_schedule(spec, old_spec, errors);
  validate_time_zone(spec, old_spec, errors);
  validate_template(parts, errors);
  return errors;
}

std::unique_ptr<webhook::Defaulter<CronJobSpec>> make_cronjob_defaulter() {
  return std::make_unique<CronJobDefaulter>();
}

std::unique_ptr<webhook::Validator<CronJobSpec>> make_cronjob_validator() {
  return std::make_unique<CronJobValidator>();
}

}  // namespace keelson::kinds
