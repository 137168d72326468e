#include "databaseuser/databaseuser_controller.hpp"

#include <algorithm>

#include "database/database_children.hpp"
#include "database/database_types.hpp"
#include "databaseuser/databaseuser_children.hpp"
#include "databaseuser/databaseuser_types.hpp"
#include "keelson/operator.hpp"
// +scaffold:includes

namespace databaseuser {
using namespace keelson;
using database::Database;

namespace {

constexpr const char* kByDatabase = "database";
constexpr std::size_t kPasswordLength = 24;

bool has_condition(const batch::v1::Job& job, std::string_view type) {
  return std::ranges::any_of(job.status.conditions, [type](const auto& condition) {
    return condition.type == type && condition.status == "True";
  });
}

// The Database if it can have users now; otherwise the conditions say why not.
Result<std::optional<Database>> database_of(const DatabaseUser& user, Pass<DatabaseUser>& pass) {
  const auto& name = user.spec.database;
  KEELSON_LET(auto database, pass.get<Database>({user.ns(), name}));
  if (!database) {
    pass.stalled("DatabaseMissing", "Database " + name + " does not exist in this namespace.");
  } else if (database->metadata.deletion_timestamp) {
    pass.stalled("DatabaseDeleted", "Database " + name + " is being deleted.");
    database.reset();
  } else if (!is_ready(*database)) {
    pass.reconciling("DatabaseNotReady", "Database " + name + " is not ready.");
    database.reset();
  }
  return database;
}

void report(const batch::v1::Job& job, Pass<DatabaseUser>& pass) {
  if (has_condition(job, "Complete")) {
    pass.ready("Created", "The Database has the user.");
  } else if (has_condition(job, "Failed")) {
    pass.stalled("JobFailed", "Job " + job.metadata.name + " has failed. Delete it to try again.");
  } else {
    pass.reconciling("Creating", "Job " + job.metadata.name + " creates the user in the Database.");
  }
}

// Called whenever the DatabaseUser, one of its children, or its Database has changed.
Reconciled reconcile(const DatabaseUser& user, Pass<DatabaseUser>& pass) {
  KEELSON_CO_LET(const auto database, database_of(user, pass));
  if (!database) co_return done();
  // A Secret that exists keeps its password.
  KEELSON_CO_LET(const auto secret, co_await pass.create(secret_of(user, pass.secure_random_text(kPasswordLength))));
  KEELSON_CO_LET(const auto job,
                 co_await pass.create(job_of(user, *database, secret.object, pass.flag<std::string>("tools-image"))));
  KEELSON_CO_TRY(co_await pass.prune<batch::v1::Job>());
  pass.status().secret = secret_name(user);
  pass.status().address = database::address_of(*database);
  report(job.object, pass);
  co_return done();
}

std::vector<std::string> database_name(const DatabaseUser& user) { return {user.spec.database}; }

std::vector<kube::Key> users_of_database(const kube::Object& database, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  const auto users = cache.find(kube::resource_of<DatabaseUser>());
  if (!users) return keys;
  for (const auto& user : (*users)->by_index(kByDatabase, database.name())) {
    if (user.ns() == database.ns()) keys.push_back(user.key());
  }
  return keys;
}

}  // namespace

controller::Definition databaseuser() {
  auto definition = controller_for<DatabaseUser>(reconcile);
  definition.indexed_by(kByDatabase, database_name);
  definition.watches<Database>(users_of_database);
  definition.owns<core::v1::Secret>({.labels = kube::Selector::exists({kUserLabel})},
                                    controller::Deletion::kNeverDeletes);
  definition.owns<batch::v1::Job>();
  // +scaffold:definition
  return definition;
}

}  // namespace databaseuser
