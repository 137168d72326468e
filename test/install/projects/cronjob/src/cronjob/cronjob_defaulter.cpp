#include "cronjob/cronjob_defaulter.hpp"

#include "keelson/operator.hpp"

namespace cronjob {
using namespace keelson;

namespace {

class CronJobDefaulter final : public webhook::Defaulter<CronJobSpec> {
 public:
  boost::asio::awaitable<Result<void>> set_defaults(CronJobSpec& spec, const webhook::Request&) override {
    cronjob::set_defaults(spec);
    co_return Result<void>();
  }
};

}  // namespace

void set_defaults(CronJobSpec& spec) {
  if (!spec.concurrency_policy) spec.concurrency_policy = "Allow";
  if (!spec.suspend) spec.suspend = false;
  if (!spec.successful_jobs_history_limit) spec.successful_jobs_history_limit = 3;
  if (!spec.failed_jobs_history_limit) spec.failed_jobs_history_limit = 1;
}

void add_defaulter(controller::Definition& definition) {
  definition.with_defaulter<CronJobSpec>([](controller::Context&) { return std::make_unique<CronJobDefaulter>(); });
}

}  // namespace cronjob
