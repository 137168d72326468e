// A simulated cluster with CronJobs, and a ledger of their runs.
#pragma once

#include <string>

#include "src/kinds/cronjob/cronjob.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/sim/cronjob_ledger.hpp"

namespace keelson::testing {

class CronJobWorld : public ClusterWithUser {
 public:
  CronJobWorld(std::uint64_t seed, const sandbox::ApiServerOptions& options);

  // `spec`: members of the spec except for the template; `metadata`: further members, with a comma before them.
  void create_cronjob(const std::string& name, const std::string& spec, const std::string& metadata = "");
  void remove_cronjob(const std::string& name, kube::DeleteOptions options);
  // These two also inform the ledger.
  void start_manager();
  void crash_manager();

  CronJobLedger ledger;
};

}  // namespace keelson::testing
