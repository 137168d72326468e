// The defaults of Database, which a webhook sets before an object is stored.
#pragma once

#include "database/database_types.hpp"
#include "keelson/controller/definition.hpp"

namespace database {

// Sets the fields that the user has left out. `old` is the stored object of an update, and null for a create: of an
// update, a field that is left out keeps its value, because a default would change the engine or shrink the storage.
void set_defaults(Database& object, const Database* old);

// Registers the webhook.
void add_defaulter(keelson::controller::Definition& definition);

}  // namespace database
