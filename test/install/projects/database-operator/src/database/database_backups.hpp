// The backups of a Database: a CronJob sends them to an archive, an HTTP service at the address of --archive-url.
#pragma once

#include <vector>

#include "database/database_types.hpp"
#include "keelson/controller/pass.hpp"

namespace database {

// Applies the CronJob with the schedule of the first BackupPolicy, by name, that selects the Database, or otherwise
// with its own. Without a schedule there is no CronJob.
keelson::Task<void> schedule_backups(const Database& database, keelson::Pass<Database>& pass);

// Deletes all backups of the Database from the archive.
keelson::Task<void> delete_backups(const Database& database, keelson::Pass<Database>& pass);

// The Databases that a BackupPolicy selects.
std::vector<keelson::kube::Key> databases_of_policy(const keelson::kube::Object& policy, keelson::cache::Cache& cache);

}  // namespace database
