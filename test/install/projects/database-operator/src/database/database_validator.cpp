#include "database/database_validator.hpp"

#include "keelson/cron/schedule.hpp"
#include "keelson/operator.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace database {
using namespace keelson;

namespace {

class DatabaseValidator {
 public:
  explicit DatabaseValidator(controller::Context&) {}

  boost::asio::awaitable<webhook::Decision> validate(const webhook::Review<Database>& review) {
    // An object that is being deleted must be able to lose its finalizer, whatever its spec is.
    if (review.object.metadata.deletion_timestamp) co_return webhook::Decision::allow();
    const auto* old = review.old_object ? &*review.old_object : nullptr;
    co_return webhook::Decision::judge(database::validate(review.object, old));
  }

  boost::asio::awaitable<webhook::Decision> validate_delete(const webhook::Review<Database>& review) {
    if (!is_protected(review.object)) co_return webhook::Decision::allow();
    co_return webhook::Decision::deny("Database " + review.object.name() + " is protected: remove the annotation " +
                                      kProtected + " first");
  }
};

void check_schedule(const Database& object, std::vector<kube::FieldError>& errors) {
  if (!object.spec.backup_schedule) return;
  const auto schedule = cron::Schedule::parse(*object.spec.backup_schedule);
  if (schedule) return;
  errors.push_back(webhook::invalid_value("spec.backupSchedule", *object.spec.backup_schedule, schedule.error().text));
}

}  // namespace

std::vector<kube::FieldError> validate(const Database& object, const Database* old) {
  std::vector<kube::FieldError> errors;
  if (old == nullptr || old->spec.backup_schedule != object.spec.backup_schedule) check_schedule(object, errors);
  if (old == nullptr) return errors;
  if (engine_name(object) != engine_name(*old)) {
    errors.push_back(webhook::forbidden_value("spec.engine", "the engine cannot be changed: create another Database"));
  }
  const auto size = storage_of(object);
  const auto old_size = storage_of(*old);
  if (size < old_size) {
    errors.push_back(webhook::forbidden_value("spec.storage", "volumes cannot shrink from " + old_size.text()));
  }
  return errors;
}

bool is_protected(const Database& object) {
  const auto annotation = object.metadata.annotations.find(kProtected);
  return annotation != object.metadata.annotations.end() && annotation->second == "true";
}

void add_validator(controller::Definition& definition) {
  definition.webhook(webhook::validating<Database, DatabaseValidator>());
}

}  // namespace database
