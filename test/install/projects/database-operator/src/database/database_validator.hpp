// The validation of Database by a webhook, before an object is stored.
#pragma once

#include <vector>

#include "database/database_types.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/schema/describe.hpp"

namespace database {

// The problems of an object, each with its field; empty: it is accepted. `old` is the stored object of an update, and
// null for a create.
[[nodiscard]] std::vector<keelson::kube::FieldError> validate(const Database& object, const Database* old);

[[nodiscard]] bool is_protected(const Database& object);

// Registers the webhook.
void add_validator(keelson::controller::Definition& definition);

}  // namespace database
