// A simulated cluster with CronJobs, and a ledger of their runs.
#pragma once

#include <string>

#include "src/kinds/cronjob/cronjob.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/sim/cronjob_ledger.hpp"

namespace keelson::testing {

// `failure` is the share of Jobs that fail.
inline sandbox::ApiServerOptions jobs_last(std::chrono::seconds time, double failure = 0) {
  sandbox::ApiServerOptions options;
  options.job_shortest = options.job_longest = time;
  options.job_failure = failure;
  return options;
}

class CronJobWorld : public ClusterWithUser {
 public:
  CronJobWorld(std::uint64_t seed, const sandbox::ApiServerOptions& options);

  // `spec`: members of the spec except for the template; `metadata`: further members, with a comma before them.
  void create_cronjob(const std::string& name, const std::string& spec, const std::string& metadata = "");
  void remove_cronjob(const std::string& name, kube::DeleteOptions options);
  // These two also inform the ledger.
  void start_manager();
  void crash_manager();

  // Of Jobs that were created, of written statuses, of logged errors.
  [[nodiscard]] std::size_t made() { return writes(kube::jobs(), "", 201); }
  [[nodiscard]] std::size_t statuses() { return writes(kube::resource_of<kinds::CronJob>(), "status", 200); }
  [[nodiscard]] std::size_t errors() const { return sink.count("Reconciler error"); }

  CronJobLedger ledger;
};

}  // namespace keelson::testing
