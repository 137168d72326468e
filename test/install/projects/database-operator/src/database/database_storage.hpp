// The size of a Database's volumes. The claim template of a StatefulSet cannot be changed, so a Database that grows
// changes the claims themselves.
#pragma once

#include "database/database_types.hpp"
#include "keelson/controller/pass.hpp"

namespace database {

// The size in the claim template: that of the existing StatefulSet, or of the Database for a new one.
keelson::Result<keelson::kube::Quantity> claim_size(const Database& database, const keelson::Pass<Database>& pass);

// Requests larger volumes for the claims that are smaller than the Database says.
keelson::Task<void> grow_claims(const Database& database, keelson::Pass<Database>& pass);

}  // namespace database
