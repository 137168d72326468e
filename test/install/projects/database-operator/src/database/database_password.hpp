// The administrator's password, which is made once: the server stores it in the volume when it initializes its data.
#pragma once

#include "database/database_types.hpp"
#include "keelson/controller/pass.hpp"

namespace database {

// Creates the Secret unless it was created before. False if it is gone since: a new password would not fit the data, so
// the Database is stalled until the Secret is restored.
keelson::Task<bool> make_password(const Database& database, keelson::Pass<Database>& pass);

}  // namespace database
