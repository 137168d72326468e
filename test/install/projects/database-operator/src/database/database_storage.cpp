#include "database/database_storage.hpp"

#include "database/database_children.hpp"
#include "keelson/api/core/v1/persistent_volume_claim.hpp"

namespace database {
using namespace keelson;
using core::v1::PersistentVolumeClaim;

namespace {

constexpr const char* kStorage = "storage";

}  // namespace

Result<kube::Quantity> claim_size(const Database& database, const Pass<Database>& pass) {
  KEELSON_LET(const auto stateful_set, pass.child<apps::v1::StatefulSet>(database.name()));
  if (!stateful_set || stateful_set->spec.volume_claim_templates.empty()) return storage_of(database);
  return stateful_set->spec.volume_claim_templates.front().spec.resources.requests.at(kStorage);
}

Task<void> grow_claims(const Database& database, Pass<Database>& pass) {
  const auto selector = kube::Selector::equals({{kDatabaseLabel, database.name()}});
  KEELSON_CO_LET(const auto claims, pass.list<PersistentVolumeClaim>(database.ns(), selector));
  for (const auto& claim : claims) {
    auto larger = claim;
    auto& size = larger.spec.resources.requests[kStorage];
    // A claim without a volume cannot be changed yet. Its next change starts another pass.
    if (claim.status.phase != "Bound" || size >= storage_of(database)) continue;
    size = storage_of(database);
    KEELSON_CO_TRY(co_await kube::patch(pass.client, claim, larger));
  }
  co_return Result<void>();
}

}  // namespace database
