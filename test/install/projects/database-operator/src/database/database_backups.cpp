#include "database/database_backups.hpp"

#include "backuppolicy/backuppolicy_types.hpp"
#include "database/database_children.hpp"
#include "keelson/api/label_selector.hpp"

namespace database {
using namespace keelson;
using backuppolicy::BackupPolicy;

namespace {

std::string archive_of(const Database& database, const Pass<Database>& pass) {
  return pass.flag<std::string>("archive-url") + "/databases/" + database.ns() + "/" + database.name();
}

// The first one by name that selects the Database. The controller of BackupPolicies reports an invalid selector.
Result<std::optional<BackupPolicy>> policy_of(const Database& database, const Pass<Database>& pass) {
  KEELSON_LET(const auto policies, pass.list<BackupPolicy>());
  for (const auto& policy : policies) {
    const auto selector = kube::selector_of(policy.spec.databases);
    if (selector && selector->matches(database.metadata.labels)) return std::optional(policy);
  }
  return std::optional<BackupPolicy>();
}

void report(Pass<Database>& pass) {
  const auto& status = pass.status();
  if (status.backup_schedule.empty()) {
    pass.condition("BackupScheduled", false, "NoSchedule", "Neither the Database nor a BackupPolicy has a schedule.");
  } else if (status.backup_policy.empty()) {
    pass.condition("BackupScheduled", true, "OwnSchedule", "Backups are made as the Database says.");
  } else {
    pass.condition("BackupScheduled", true, "Policy", "Backups are made as " + status.backup_policy + " says.");
  }
}

}  // namespace

Task<void> schedule_backups(const Database& database, Pass<Database>& pass) {
  KEELSON_CO_LET(const auto policy, policy_of(database, pass));
  auto& status = pass.status();
  status.backup_policy = policy ? policy->name() : "";
  status.backup_schedule = policy ? policy->spec.schedule : database.spec.backup_schedule.value_or("");
  report(pass);
  if (!status.backup_schedule.empty()) {
    const Tools tools{pass.flag<std::string>("tools-image"), archive_of(database, pass)};
    KEELSON_CO_TRY(co_await pass.apply(backup_of(database, status.backup_schedule, tools)));
  }
  co_return co_await pass.prune<batch::v1::CronJob>();
}

Task<void> delete_backups(const Database& database, Pass<Database>& pass) {
  KEELSON_CO_LET(const auto response, co_await pass.http().remove(archive_of(database, pass)));
  // An earlier call has deleted them, but its response was lost, or there never was a backup.
  if (response.status == 404) co_return Result<void>();
  co_return net::check_status(response, "delete the backups");
}

std::vector<kube::Key> databases_of_policy(const kube::Object& policy, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  const auto decoded = controller::read<BackupPolicy>(policy);
  const auto databases = cache.find(kube::resource_of<Database>());
  if (!decoded || !databases) return keys;
  const auto selector = kube::selector_of(decoded->spec.databases);
  if (!selector) return keys;
  for (const auto& database : (*databases)->list()) {
    if (selector->matches(database)) keys.push_back(database.key());
  }
  return keys;
}

}  // namespace database
