#include "backuppolicy/backuppolicy_validator.hpp"

#include "keelson/api/label_selector.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/operator.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace backuppolicy {
using namespace keelson;

namespace {

class BackupPolicyValidator {
 public:
  explicit BackupPolicyValidator(controller::Context&) {}

  boost::asio::awaitable<webhook::Decision> validate(const webhook::Review<BackupPolicy>& review) {
    const auto* old = review.old_object ? &*review.old_object : nullptr;
    co_return webhook::Decision::judge(backuppolicy::validate(review.object, old));
  }
};

}  // namespace

std::vector<kube::FieldError> validate(const BackupPolicy& object, const BackupPolicy*) {
  std::vector<kube::FieldError> errors;
  const auto& spec = object.spec;
  const auto schedule = cron::Schedule::parse(spec.schedule);
  if (!schedule) errors.push_back(webhook::invalid_value("spec.schedule", spec.schedule, schedule.error().text));
  const auto selector = kube::selector_of(spec.databases);
  if (!selector) errors.push_back(webhook::forbidden_value("spec.databases", selector.error().text));
  return errors;
}

void add_validator(controller::Definition& definition) {
  definition.webhook(webhook::validating<BackupPolicy, BackupPolicyValidator>());
}

}  // namespace backuppolicy
