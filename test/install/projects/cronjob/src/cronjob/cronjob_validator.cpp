#include "cronjob/cronjob_validator.hpp"

#include "keelson/cron/schedule.hpp"
#include "keelson/operator.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace cronjob {
using namespace keelson;

namespace {

class CronJobValidator {
 public:
  explicit CronJobValidator(controller::Context&) {}

  boost::asio::awaitable<webhook::Decision> validate(const webhook::Review<CronJob>& review) {
    // An object that is being deleted must be able to lose its finalizer, whatever its spec is.
    if (review.object.metadata.deletion_timestamp) co_return webhook::Decision::allow();
    const auto* old = review.old_object ? &*review.old_object : nullptr;
    co_return webhook::Decision::judge(cronjob::validate(review.object, old));
  }
};

}  // namespace

std::vector<kube::FieldError> validate(const CronJob& object, const CronJob*) {
  const auto schedule = cron::Schedule::parse(object.spec.schedule);
  if (schedule) return {};
  return {webhook::invalid_value("spec.schedule", object.spec.schedule, schedule.error().text)};
}

void add_validator(controller::Definition& definition) {
  // webhook::validating also takes options, such as selectors: keelson/webhook/admission.hpp.
  definition.webhook(webhook::validating<CronJob, CronJobValidator>());
}

}  // namespace cronjob
