#include "backuppolicy/backuppolicy_controller.hpp"

#include "backuppolicy/backuppolicy_types.hpp"
#include "backuppolicy/backuppolicy_validator.hpp"
#include "database/database_types.hpp"
#include "keelson/api/label_selector.hpp"
#include "keelson/operator.hpp"
// +scaffold:includes

namespace backuppolicy {
using namespace keelson;
using database::Database;

namespace {

// Called whenever the BackupPolicy or the labels of a Database have changed. The controller of Databases reads the
// policies itself, so that only one controller writes a CronJob: this one counts and reports.
Reconciled reconcile(const BackupPolicy& policy, Pass<BackupPolicy>& pass) {
  const auto selector = kube::selector_of(policy.spec.databases);
  if (!selector) {
    pass.stalled("InvalidSelector", selector.error().message());
    co_return done();
  }
  KEELSON_CO_LET(const auto databases, pass.list<Database>("", *selector));
  pass.status().databases = std::ssize(databases);
  pass.ready("Applied", std::to_string(databases.size()) + " Databases are selected.");
  co_return done();
}

std::vector<kube::Key> all_policies(const kube::Object&, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  const auto policies = cache.find(kube::resource_of<BackupPolicy>());
  if (!policies) return keys;
  for (const auto& policy : (*policies)->list()) keys.push_back(policy.key());
  return keys;
}

}  // namespace

controller::Definition backuppolicy() {
  auto definition = controller_for<BackupPolicy>(reconcile);
  definition.watches<Database>(all_policies, {.predicates = {controller::labels_changed()}});
  add_validator(definition);
  // +scaffold:definition
  return definition;
}

}  // namespace backuppolicy
