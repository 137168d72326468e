#include "cronjob/cronjob_defaulter.hpp"

#include "keelson/operator.hpp"

namespace cronjob {
using namespace keelson;

namespace {

boost::asio::awaitable<webhook::Decision> mutate(CronJob& object, const webhook::Request&) {
  set_defaults(object);
  co_return webhook::Decision::allow();
}

}  // namespace

void set_defaults(CronJob& object) {
  auto& spec = object.spec;
  if (!spec.concurrency_policy) spec.concurrency_policy = "Allow";
  if (!spec.suspend) spec.suspend = false;
  if (!spec.successful_jobs_history_limit) spec.successful_jobs_history_limit = 3;
  if (!spec.failed_jobs_history_limit) spec.failed_jobs_history_limit = 1;
}

void add_defaulter(controller::Definition& definition) {
  // webhook::mutating also takes options, such as selectors: keelson/webhook/admission.hpp.
  definition.webhook(webhook::mutating<CronJob>(mutate));
}

}  // namespace cronjob
