#include "cronjob/cronjob_validator.hpp"

#include "keelson/cron/schedule.hpp"
#include "keelson/operator.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace cronjob {
using namespace keelson;

namespace {

class CronJobValidator final : public webhook::Validator<CronJobSpec> {
 public:
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<CronJobSpec>& submission) override {
    // An object that is being deleted must be able to lose its finalizer, whatever its spec is.
    if (submission.request.operation == webhook::Operation::kDelete || submission.request.object.deleting()) {
      co_return webhook::Decision::allow();
    }
    co_return webhook::Decision::judge(cronjob::validate(submission.spec));
  }
};

}  // namespace

std::vector<kube::FieldError> validate(const CronJobSpec& spec) {
  const auto schedule = cron::Schedule::parse(spec.schedule);
  if (schedule) return {};
  return {webhook::invalid_value("spec.schedule", spec.schedule, schedule.error().text)};
}

void add_validator(controller::Definition& definition) {
  definition.with_validator<CronJobSpec>([](controller::Context&) { return std::make_unique<CronJobValidator>(); });
}

}  // namespace cronjob
