#include "database/database_controller.hpp"

#include "backuppolicy/backuppolicy_types.hpp"
#include "database/database_backups.hpp"
#include "database/database_children.hpp"
#include "database/database_defaulter.hpp"
#include "database/database_password.hpp"
#include "database/database_storage.hpp"
#include "database/database_types.hpp"
#include "database/database_validator.hpp"
#include "keelson/api/core/v1/persistent_volume_claim.hpp"
#include "keelson/controller/stateful_set_rollout.hpp"
#include "keelson/operator.hpp"
// +scaffold:includes

namespace database {
using namespace keelson;

namespace {

void report(const Database& database, const apps::v1::StatefulSet& stateful_set, Pass<Database>& pass) {
  const auto rollout = controller::rollout_of(stateful_set);
  pass.status().address = address_of(database);
  pass.status().ready_replicas = rollout.ready_replicas;
  if (rollout.is_complete()) {
    pass.ready("Serving", "All pods are ready.");
  } else {
    pass.reconciling("RollingOut", rollout.waits_for);
  }
}

// Called whenever the Database, one of its children, or a BackupPolicy has changed: make the cluster match the spec.
Reconciled reconcile(const Database& database, Pass<Database>& pass) {
  KEELSON_CO_LET(const auto has_password, co_await make_password(database, pass));
  // A Secret that a user restores has no owner reference, so its watch does not start a pass.
  if (!has_password) co_return requeue_after(std::chrono::minutes(1));
  KEELSON_CO_LET(const auto size, claim_size(database, pass));
  const auto [service, budget, stateful_set] =
      co_await pass.apply_all(service_of(database), budget_of(database), stateful_set_of(database, size));
  KEELSON_CO_TRY(controller::all_of(service, budget, stateful_set));
  KEELSON_CO_TRY(co_await grow_claims(database, pass));
  KEELSON_CO_TRY(co_await schedule_backups(database, pass));
  report(database, *stateful_set, pass);
  co_return done();
}

// Called before a deleted Database is gone, until it succeeds: garbage collection deletes the children, not the
// backups.
Reconciled clean_up(const Database& database, Pass<Database>& pass) {
  // The archive cannot try a deletion without storing it.
  if (pass.is_dry_run()) co_return done();
  KEELSON_CO_TRY(co_await delete_backups(database, pass));
  pass.event("BackupsDeleted", "The archive has no backups of this Database any more.");
  co_return done();
}

}  // namespace

controller::Definition database() {
  auto definition = controller_for<Database>(reconcile, Finalizer<Database>{"db.example.com/backups", clean_up});
  definition.flag<std::string>("archive-url", "http://archive.database-operator-system.svc",
                               "The HTTP service that stores the backups.");
  definition.flag<std::string>("tools-image", "registry.example.com/database-tools:1",
                               "The image of the Jobs that make backups and create users.");
  // The selectors keep all other Secrets and claims out of the cache.
  const auto labeled = kube::Selector::exists({kDatabaseLabel});
  definition.owns<core::v1::Secret>({.labels = labeled}, controller::Deletion::kNeverDeletes);
  definition.owns<core::v1::Service>();
  definition.owns<policy::v1::PodDisruptionBudget>();
  definition.owns<apps::v1::StatefulSet>();
  definition.owns<batch::v1::CronJob>();
  // The StatefulSet creates the claims.
  definition.watches<core::v1::PersistentVolumeClaim>(
      controller::map_by_label(kube::resource_of<Database>(), kDatabaseLabel), {.labels = labeled});
  definition.rbac({"", "persistentvolumeclaims", {"patch"}});
  definition.watches<backuppolicy::BackupPolicy>(databases_of_policy);
  add_defaulter(definition);
  add_validator(definition);
  // +scaffold:definition
  return definition;
}

}  // namespace database
