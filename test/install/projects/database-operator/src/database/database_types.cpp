#include "database/database_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace database {
using namespace keelson;

void describe(kube::Description& d, DatabaseSpec& spec) {
  d.document("DatabaseSpec is the desired state of Database.");
  d.field("engine", spec.engine, "The server, which cannot be changed. Defaults to postgres.")
      .one_of({"postgres", "mysql"});
  d.field("replicas", spec.replicas, "Number of pods. Defaults to 1.").minimum(1).maximum(9);
  d.field("storage", spec.storage, "The volume of each pod. It can grow, not shrink. Defaults to 1Gi.");
  d.field("backupSchedule", spec.backup_schedule,
          "When a backup is made, such as `0 3 * * *`. A BackupPolicy that selects the Database replaces it.")
      .min_length(1);
}

void describe(kube::Description& d, DatabaseStatus& status) {
  d.document("DatabaseStatus is the observed state of Database.");
  d.field("address", status.address, "Where clients connect to: host and port.");
  d.field("secret", status.secret, "The Secret with the administrator's password.");
  d.field("readyReplicas", status.ready_replicas, "Number of pods that are ready.");
  d.field("backupSchedule", status.backup_schedule, "The schedule in effect.");
  d.field("backupPolicy", status.backup_policy, "The BackupPolicy that has set the schedule.");
  d.field("observedGeneration", status.observed_generation, "The generation of the spec that this status is about.");
  controller::describe_conditions<Database>(d, status.conditions);
}

void Database::describe_kind(kube::Kind& kind) {
  kind.description = "Database is a database server with its volumes, its password and its backups.";
  kind.short_names = {"db"};
  kind.columns = {{"Engine", "string", ".spec.engine"},
                  {"Storage", "string", ".spec.storage"},
                  {"Backups", "string", ".status.backupSchedule"},
                  {"Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  // Services, and the pods of CronJobs, have stricter rules for their names.
  kind.rules = {{"self.metadata.name.matches('^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$')",
                 "must be at most 40 lower-case letters, digits and dashes, a letter first", ".metadata.name"}};
  kind.sample = R"(apiVersion: db.example.com/v1
kind: Database
metadata:
  name: main
  labels:
    tier: gold
spec:
  engine: postgres
  replicas: 2
  storage: 1Gi
  backupSchedule: 0 3 * * *
)";
}

std::string engine_name(const Database& database) { return database.spec.engine.value_or("postgres"); }
std::int32_t replicas_of(const Database& database) { return database.spec.replicas.value_or(1); }
kube::Quantity storage_of(const Database& database) { return database.spec.storage.value_or("1Gi"); }

bool is_ready(const Database& database) {
  const auto* ready = kube::find_condition(database.status.conditions, "Ready");
  return ready != nullptr && ready->status == "True" && ready->observed_generation == database.metadata.generation;
}

}  // namespace database
