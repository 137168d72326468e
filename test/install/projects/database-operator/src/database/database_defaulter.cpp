#include "database/database_defaulter.hpp"

#include "keelson/operator.hpp"

namespace database {
using namespace keelson;

namespace {

boost::asio::awaitable<webhook::Decision> mutate(Database& object, const webhook::Request& request) {
  KEELSON_CO_LET(const auto old, co_await request.old_object.read_as<Database>());
  set_defaults(object, old ? &*old : nullptr);
  co_return webhook::Decision::allow();
}

}  // namespace

void set_defaults(Database& object, const Database* old) {
  const auto& before = old != nullptr ? *old : Database();
  auto& spec = object.spec;
  if (!spec.engine) spec.engine = engine_name(before);
  if (!spec.replicas) spec.replicas = replicas_of(before);
  if (!spec.storage) spec.storage = storage_of(before);
}

void add_defaulter(controller::Definition& definition) { definition.webhook(webhook::mutating<Database>(mutate)); }

}  // namespace database
